import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const balanceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/balance',
    validateSearch: listSearch('kind', 'call_id', 'date_from', 'date_to', 'span'),
    component: lazyRouteComponent(() => import('./balance-page'), 'BalancePage'),
  }),
] as const;
