import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const widgetRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/widget',
    validateSearch: listSearch('assistant'),
    component: lazyPage(() => import('./widget-page'), 'WidgetPage'),
  }),
] as const;
