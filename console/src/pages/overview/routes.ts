import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    validateSearch: listSearch(),
    component: lazyPage(() => import('./overview-page'), 'OverviewPage'),
  }),
] as const;
