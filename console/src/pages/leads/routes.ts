import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads',
    validateSearch: listSearch('status', 'campaign_id', 'phone_number', 'date_from', 'date_to'),
    component: lazyPage(() => import('./leads-page'), 'LeadsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/import',
    validateSearch: listSearch('campaign_id'),
    component: lazyPage(() => import('./import/import-page'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/new',
    validateSearch: listSearch('campaign_id'),
    component: lazyPage(() => import('./lead-form-page'), 'NewLeadPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/$id',
    component: lazyPage(() => import('./lead-page'), 'LeadPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/leads/$id/edit',
    component: lazyPage(() => import('./lead-form-page'), 'EditLeadPage'),
  }),
] as const;
