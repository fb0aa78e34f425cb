import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const messagesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/messages',
    validateSearch: listSearch('status', 'phone_number', 'date_from', 'date_to'),
    component: lazyPage(() => import('./messages-page'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/messages/new',
    component: lazyPage(() => import('./new-message-page'), 'NewMessagePage'),
  }),
] as const;
