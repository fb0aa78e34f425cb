import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const numbersRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/numbers',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./numbers-page'), 'NumbersPage'),
  }),
] as const;
