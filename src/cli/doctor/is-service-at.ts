const PATIENCE_MS = 3_000;

/** Whether our service answers there. */
export async function isServiceAt(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await answer.json()) as { status?: unknown } | null;
    return answer.ok && body?.status === 'ok';
  } catch {
    return false;
  }
}
