import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const webhooksRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/webhooks',
    validateSearch: listSearch('status', 'channel', 'call_id'),
    component: lazyRouteComponent(() => import('./webhooks-page'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => import('./delivery-page'), 'DeliveryPage'),
  }),
] as const;
