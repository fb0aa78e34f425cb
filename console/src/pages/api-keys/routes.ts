import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#console/app/shell-route';

export const apiKeysRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('./api-keys-page'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys/new',
    component: lazyRouteComponent(() => import('./new-api-key-page'), 'NewApiKeyPage'),
  }),
] as const;
