import { createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from '#console/api/place';
import { apiKeysRoutes } from '#console/pages/api-keys/routes';
import { assistantsRoutes } from '#console/pages/assistants/routes';
import { auditLogRoutes } from '#console/pages/audit-log/routes';
import { balanceRoutes } from '#console/pages/balance/routes';
import { callsRoutes } from '#console/pages/calls/routes';
import { campaignsRoutes } from '#console/pages/campaigns/routes';
import { conversationsRoutes } from '#console/pages/conversations/routes';
import { knowledgeRoutes } from '#console/pages/knowledge/routes';
import { leadsRoutes } from '#console/pages/leads/routes';
import { liveRoutes } from '#console/pages/live/routes';
import { messagesRoutes } from '#console/pages/messages/routes';
import { numbersRoutes } from '#console/pages/numbers/routes';
import { overviewRoutes } from '#console/pages/overview/routes';
import { personalDataRoutes } from '#console/pages/personal-data/routes';
import { retentionRoutes } from '#console/pages/retention/routes';
import { suppressionsRoutes } from '#console/pages/suppressions/routes';
import { toolsRoutes } from '#console/pages/tools/routes';
import { webhooksRoutes } from '#console/pages/webhooks/routes';
import { widgetRoutes } from '#console/pages/widget/routes';
import { parseSearch, stringifySearch } from './list-search';
import { PageFailed } from './error-pages';
import { notFoundRoute, rootRoute, shellRoute } from './shell-route';

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    ...apiKeysRoutes,
    ...assistantsRoutes,
    ...auditLogRoutes,
    ...balanceRoutes,
    ...callsRoutes,
    ...campaignsRoutes,
    ...conversationsRoutes,
    ...knowledgeRoutes,
    ...leadsRoutes,
    ...liveRoutes,
    ...messagesRoutes,
    ...numbersRoutes,
    ...overviewRoutes,
    ...personalDataRoutes,
    ...retentionRoutes,
    ...suppressionsRoutes,
    ...toolsRoutes,
    ...webhooksRoutes,
    ...widgetRoutes,
    notFoundRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: CONSOLE_PATH,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
