import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns',
    validateSearch: listSearch('name', 'status'),
    component: lazyRouteComponent(() => import('./campaigns-page'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/new',
    validateSearch: listSearch('assistant_id', 'copy'),
    component: lazyRouteComponent(() => import('./campaign-form-page'), 'NewCampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$id',
    validateSearch: listSearch('tab', 'days'),
    component: lazyRouteComponent(() => import('./campaign-page'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$id/edit',
    component: lazyRouteComponent(() => import('./campaign-form-page'), 'EditCampaignPage'),
  }),
] as const;
