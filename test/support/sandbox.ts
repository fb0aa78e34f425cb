import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../tooling/sandbox/journal.js';

/** The carrier of the service under test; `E2E_SANDBOX_URL` where a running service is pointed at. */
function sandboxUrl(): string {
  if (process.env.E2E_SANDBOX_URL) return process.env.E2E_SANDBOX_URL;
  const file = readFileSync(join(process.env.E2E_DATA_DIR ?? '.data', 'demo.json'), 'utf8');
  return (JSON.parse(file) as { sandbox_url: string }).sandbox_url;
}

/** Lets somebody call one of the service's numbers. `persona`: the four digits of a callee, e.g. `0023`. */
export async function callFromOutside(to: string, from: string, persona: string): Promise<void> {
  const response = await fetch(`${sandboxUrl()}/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from, to, persona }),
  });
  if (!response.ok)
    throw new Error(`the sandbox refused the call: ${response.status} ${await response.text()}`);
}

/** What happened on a call, or on all of them, oldest first. */
export async function journalOf(sid?: string): Promise<JournalEntry[]> {
  const filter = sid === undefined ? '' : `?sid=${sid}`;
  return (await (await fetch(`${sandboxUrl()}/journal${filter}`)).json()) as JournalEntry[];
}
