import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const toolsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools',
    validateSearch: listSearch(),
    component: lazyPage(() => import('./tools-page'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools/new',
    component: lazyPage(() => import('./tool-page'), 'NewToolPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools/$id',
    component: lazyPage(() => import('./tool-page'), 'ToolPage'),
  }),
] as const;
