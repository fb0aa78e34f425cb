import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const messagesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/messages',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./messages-page'), 'MessagesPage'),
  }),
] as const;
