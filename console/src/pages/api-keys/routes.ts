import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { shellRoute } from '#console/app/shell-route';

export const apiKeysRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys',
    component: lazyPage(() => import('./api-keys-page'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys/new',
    component: lazyPage(() => import('./new-api-key-page'), 'NewApiKeyPage'),
  }),
] as const;
