import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge',
    component: lazyPage(() => import('./bases-page'), 'BasesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/new',
    component: lazyPage(() => import('./new-base-page'), 'NewBasePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/$id',
    validateSearch: listSearch('tab', 'q'),
    component: lazyPage(() => import('./base-page'), 'BasePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/$id/documents/$document',
    validateSearch: listSearch(),
    component: lazyPage(() => import('./document-page'), 'DocumentPage'),
  }),
] as const;
