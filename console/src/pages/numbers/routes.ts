import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const numbersRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/numbers',
    component: lazyRouteComponent(() => import('./numbers-page'), 'NumbersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/numbers/buy',
    validateSearch: listSearch('country_code', 'contains'),
    component: lazyRouteComponent(() => import('./buy-number-page'), 'BuyNumberPage'),
  }),
] as const;
