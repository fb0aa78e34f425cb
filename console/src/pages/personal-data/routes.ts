import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const personalDataRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/personal-data',
    // `job`: the id of the one that is open.
    validateSearch: listSearch('tab', 'job'),
    component: lazyPage(() => import('./personal-data-page'), 'PersonalDataPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/personal-data/erase',
    component: lazyPage(() => import('./erase-page'), 'ErasePage'),
  }),
] as const;
