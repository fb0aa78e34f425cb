import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const conversationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conversations',
    validateSearch: listSearch('type', 'assistant_id', 'external_identifier'),
    component: lazyRouteComponent(() => import('./conversations-page'), 'ConversationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conversations/$id',
    component: lazyRouteComponent(() => import('./conversation-page'), 'ConversationPage'),
  }),
] as const;
