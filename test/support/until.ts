const STEP_MS = 50;

/** Polls until `ask` returns neither null nor false. */
export async function until<T>(ask: () => Promise<T | null | false>, timeoutMs = 300_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`the condition was not met in ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
