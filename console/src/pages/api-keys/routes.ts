import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const apiKeysRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./api-keys-page'), 'ApiKeysPage'),
  }),
] as const;
