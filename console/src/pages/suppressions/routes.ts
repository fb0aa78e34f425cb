import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const suppressionsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/suppressions',
    validateSearch: listSearch('phone_number'),
    component: lazyRouteComponent(() => import('./suppressions-page'), 'SuppressionsPage'),
  }),
] as const;
