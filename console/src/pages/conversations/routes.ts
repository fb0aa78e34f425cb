import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const conversationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conversations',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./conversations-page'), 'ConversationsPage'),
  }),
] as const;
