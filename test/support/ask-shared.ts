/** Asks the processes that test files share; see shared-processes.ts. */
export async function askShared<T>(what: 'commands' | 'carrier', body: object): Promise<T> {
  const response = await fetch(`${process.env.E2E_SHARED_URL}/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
