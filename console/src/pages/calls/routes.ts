import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const callsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/calls',
    validateSearch: listSearch(
      'status',
      'type',
      'phone_number',
      'assistant_id',
      'campaign_id',
      'lead_id',
      'date_from',
      'date_to',
    ),
    component: lazyPage(() => import('./calls-page'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/calls/$id',
    component: lazyPage(() => import('./call-page'), 'CallPage'),
  }),
] as const;
