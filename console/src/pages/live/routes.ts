import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const liveRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/live',
    validateSearch: listSearch(),
    component: lazyPage(() => import('./live-page'), 'LivePage'),
  }),
] as const;
