/** Planted defect: one route requires no token. */
import 'reflect-metadata';
import { PUBLIC_ROUTE } from '#src/auth/auth.decorators.js';
import { addRouteConfig } from '#src/http/route-config.js';
import { CatalogController } from '#src/modules/catalog/catalog.controller.js';

addRouteConfig(CatalogController.prototype.listLanguages, PUBLIC_ROUTE);
