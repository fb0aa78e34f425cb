import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const balanceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/balance',
    validateSearch: listSearch('kind', 'call_id', 'date_from', 'date_to', 'span'),
    component: lazyPage(() => import('./balance-page'), 'BalancePage'),
  }),
] as const;
