import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./leads-page'), 'LeadsPage'),
  }),
] as const;
