import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

/** `group`: the open tab of the settings; `try`: how it is tried; `lead`: with whose variables. */
const editorSearch = listSearch('group', 'try', 'lead');

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants',
    validateSearch: listSearch('type', 'folder_id', 'label_id'),
    component: lazyRouteComponent(() => import('./assistants-page'), 'AssistantsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants/new',
    component: lazyRouteComponent(() => import('./new-assistant-page'), 'NewAssistantPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants/$id',
    validateSearch: editorSearch,
    component: lazyRouteComponent(() => import('./assistant-page'), 'AssistantPage'),
  }),
] as const;
