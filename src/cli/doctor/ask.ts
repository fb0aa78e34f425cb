import { messageOf } from '../explain-error.js';

const PATIENCE_MS = 5_000;

interface Reply {
  /** Null: no answer came, see `error`. */
  status: number | null;
  error: string;
}

/** A GET whose body nobody reads. */
export async function ask(url: string, authorization: string): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      headers: { Authorization: authorization, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: '' };
  } catch (error) {
    return { status: null, error: messageOf(error) };
  }
}
