import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const conversationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conversations',
    validateSearch: listSearch('type', 'assistant_id', 'external_identifier'),
    component: lazyPage(() => import('./conversations-page'), 'ConversationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conversations/$id',
    component: lazyPage(() => import('./conversation-page'), 'ConversationPage'),
  }),
] as const;
