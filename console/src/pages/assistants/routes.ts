import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./assistants-page'), 'AssistantsPage'),
  }),
] as const;
