import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns',
    validateSearch: listSearch('name', 'status'),
    component: lazyPage(() => import('./campaigns-page'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/new',
    validateSearch: listSearch('assistant_id', 'copy'),
    component: lazyPage(() => import('./campaign-form-page'), 'NewCampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$id',
    validateSearch: listSearch('tab', 'days'),
    component: lazyPage(() => import('./campaign-page'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$id/edit',
    component: lazyPage(() => import('./campaign-form-page'), 'EditCampaignPage'),
  }),
] as const;
