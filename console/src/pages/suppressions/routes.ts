import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const suppressionsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/suppressions',
    validateSearch: listSearch('phone_number'),
    component: lazyPage(() => import('./suppressions-page'), 'SuppressionsPage'),
  }),
] as const;
