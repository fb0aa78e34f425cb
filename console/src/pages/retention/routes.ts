import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { shellRoute } from '#console/app/shell-route';

export const retentionRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/retention',
    component: lazyPage(() => import('./retention-page'), 'RetentionPage'),
  }),
] as const;
