import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '#console/app/lazy-page';
import { listSearch } from '#console/app/list-search';
import { shellRoute } from '#console/app/shell-route';

export const auditLogRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit-log',
    validateSearch: listSearch(
      'action',
      'actor',
      'key_id',
      'resource_type',
      'resource_id',
      'date_from',
      'date_to',
      'entry',
    ),
    component: lazyPage(() => import('./audit-log-page'), 'AuditLogPage'),
  }),
] as const;
