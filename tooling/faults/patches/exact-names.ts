/** Planted defect for `clients`: names of languages are matched exactly. */
import 'reflect-metadata';
import { Catalog } from '#src/modules/catalog/catalog.js';

const { language } = Catalog.prototype;

Catalog.prototype.language = function (key: number | string) {
  const found = language.call(this, key);
  return typeof key === 'string' && found?.name !== key ? undefined : found;
};
