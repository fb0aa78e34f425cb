/** Resolves with the work, or when the signal aborts: the next turn does not wait for what an aborted one waits for. */
export async function unlessAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  if (signal.aborted) return;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (onAbort = resolve));
  signal.addEventListener('abort', onAbort, { once: true });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', onAbort);
}
