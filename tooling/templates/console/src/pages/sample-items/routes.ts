import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const sampleItemsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./sample-items-page'), 'SampleItemsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items/new',
    component: lazyRouteComponent(() => import('./sample-item-form-page'), 'NewSampleItemPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sample-items/$id',
    component: lazyRouteComponent(() => import('./sample-item-form-page'), 'EditSampleItemPage'),
  }),
] as const;
