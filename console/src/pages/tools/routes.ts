import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const toolsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('./tools-page'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools/new',
    component: lazyRouteComponent(() => import('./tool-page'), 'NewToolPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tools/$id',
    component: lazyRouteComponent(() => import('./tool-page'), 'ToolPage'),
  }),
] as const;
