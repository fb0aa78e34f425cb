import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge',
    component: lazyRouteComponent(() => import('./bases-page'), 'BasesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/new',
    component: lazyRouteComponent(() => import('./new-base-page'), 'NewBasePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/$id',
    validateSearch: listSearch('tab', 'q'),
    component: lazyRouteComponent(() => import('./base-page'), 'BasePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/knowledge/$id/documents/$document',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./document-page'), 'DocumentPage'),
  }),
] as const;
