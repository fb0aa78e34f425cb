import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { confirm } from './confirm';
import { notifyDone, notifyFailed } from './notify';

interface Removal {
  question: Parameters<typeof confirm>[0];
  /** Throws `ApiError`. */
  remove: () => Promise<unknown>;
  done: string;
  failed: string;
  /** The list that it was in. */
  list: string;
}

/** Asks, deletes what a page is about, and goes to its list. */
export function useRemoval() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async ({ question, remove, done, failed, list }: Removal): Promise<void> => {
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    try {
      await remove();
      notifyDone(done);
      await navigate({ to: list as '/' });
      await client.invalidateQueries();
    } catch (error) {
      notifyFailed(failed, error);
    }
  };
}
