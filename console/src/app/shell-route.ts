import { createRootRoute, createRoute } from '@tanstack/react-router';
import { NotFoundPage, PageFailed } from './error-pages';
import { Shell } from './shell';

export const rootRoute = createRootRoute({ errorComponent: PageFailed });

/** Parent of every page: the navigation and the header around it. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** Every other address. */
export const notFoundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFoundPage,
});
