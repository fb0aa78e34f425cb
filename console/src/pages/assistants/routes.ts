import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

/** `group`: the open tab of the settings; `try`: how it is tried; `lead`: with whose variables. */
const editorSearch = listSearch('group', 'try', 'lead');

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants',
    validateSearch: listSearch('type', 'folder_id', 'label_id'),
    component: lazyPage(() => import('./assistants-page'), 'AssistantsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants/new',
    component: lazyPage(() => import('./new-assistant-page'), 'NewAssistantPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assistants/$id',
    validateSearch: editorSearch,
    component: lazyPage(() => import('./assistant-page'), 'AssistantPage'),
  }),
] as const;
