import { t } from '#console/texts';
import { ApiError } from './api-error';
import { CONSOLE_PATH } from './place';

/**
 * What `load` imports.
 *
 * @throws ApiError with the status 0 while the service cannot be reached; else the browser's own error
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isReachable()) throw error;
    throw new ApiError(0, t.errors.unreachable);
  }
}

/** As `loadCode`, of a part of a page. @throws Error that tells what to do */
export const loadPart = <T>(load: () => Promise<T>): Promise<T> =>
  loadCode(load).catch((error: unknown) => {
    throw error instanceof ApiError ? error : new Error(t.errors.outdated, { cause: error });
  });

/** Whether the service answers. */
export const isReachable = (): Promise<boolean> =>
  fetch(`${CONSOLE_PATH}/`, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
