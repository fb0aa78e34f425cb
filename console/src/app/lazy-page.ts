import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '#console/api/api-error';
import { CONSOLE_PATH } from '#console/api/place';
import { t } from '#console/texts';

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
): ReturnType<typeof lazyRouteComponent<T, K>> =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      if (await isReachable()) throw error;
      throw new ApiError(0, t.errors.unreachable);
    }
  }, name);

/** Whether the service answers. */
export const isReachable = (): Promise<boolean> =>
  fetch(`${CONSOLE_PATH}/`, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
