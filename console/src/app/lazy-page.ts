import { lazyRouteComponent } from '@tanstack/react-router';
import { loadCode } from '#console/api/load-code';

/**
 * The component of a route, loaded before its page is first shown. Where a chunk is gone since the service was upgraded,
 * the router loads the console again, once. While the service cannot be reached that would end in the browser's own error
 * page: then the component throws an `ApiError` with the status 0.
 *
 * @param load imports the module
 * @param name of its export
 */
export const lazyPage = <T extends Record<string, unknown>, K extends keyof T>(
  load: () => Promise<T>,
  name: K,
): ReturnType<typeof lazyRouteComponent<T, K>> => lazyRouteComponent(() => loadCode(load), name);
