import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const liveRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/live',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./live-page'), 'LivePage'),
  }),
] as const;
