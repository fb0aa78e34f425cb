import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const sampleItemsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items',
    validateSearch: listSearch(),
    component: lazyPage(() => import('./sample-items-page'), 'SampleItemsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items/new',
    component: lazyPage(() => import('./sample-item-form-page'), 'NewSampleItemPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items/$id',
    component: lazyPage(() => import('./sample-item-form-page'), 'EditSampleItemPage'),
  }),
] as const;
