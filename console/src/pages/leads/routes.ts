import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads',
    validateSearch: listSearch('status', 'campaign_id', 'phone_number', 'date_from', 'date_to'),
    component: lazyRouteComponent(() => import('./leads-page'), 'LeadsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/import',
    validateSearch: listSearch('campaign_id'),
    component: lazyRouteComponent(() => import('./import/import-page'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/new',
    validateSearch: listSearch('campaign_id'),
    component: lazyRouteComponent(() => import('./lead-form-page'), 'NewLeadPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/$id',
    component: lazyRouteComponent(() => import('./lead-page'), 'LeadPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/$id/edit',
    component: lazyRouteComponent(() => import('./lead-form-page'), 'EditLeadPage'),
  }),
] as const;
