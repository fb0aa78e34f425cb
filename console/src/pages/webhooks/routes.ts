import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const webhooksRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/webhooks',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./webhooks-page'), 'WebhooksPage'),
  }),
] as const;
