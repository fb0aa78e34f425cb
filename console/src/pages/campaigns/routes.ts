import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./campaigns-page'), 'CampaignsPage'),
  }),
] as const;
