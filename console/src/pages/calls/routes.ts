import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/calls',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./calls-page'), 'CallsPage'),
  }),
] as const;
