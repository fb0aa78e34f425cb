import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const numbersRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/numbers',
    component: lazyPage(() => import('./numbers-page'), 'NumbersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/numbers/buy',
    validateSearch: listSearch('country_code', 'contains'),
    component: lazyPage(() => import('./buy-number-page'), 'BuyNumberPage'),
  }),
] as const;
