import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const messagesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/messages',
    validateSearch: listSearch('status', 'phone_number', 'date_from', 'date_to'),
    component: lazyRouteComponent(() => import('./messages-page'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/messages/new',
    component: lazyRouteComponent(() => import('./new-message-page'), 'NewMessagePage'),
  }),
] as const;
