const STEP_MS = 50;

/** Asks until there is an answer; for what the service tells only when it is asked. */
export async function until<T>(ask: () => Promise<T | null | false>, timeoutMs = 45_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
