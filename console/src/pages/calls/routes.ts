import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
    component: lazyRouteComponent(() => import('./calls-page'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/calls/$id',
    component: lazyRouteComponent(() => import('./call-page'), 'CallPage'),
  }),
] as const;
