import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const widgetRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/widget',
    validateSearch: listSearch('assistant'),
    component: lazyRouteComponent(() => import('./widget-page'), 'WidgetPage'),
  }),
] as const;
