import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ServiceProcess } from '../../harness/server-process.js';
import { LoopProbe } from '../rest/loop-probe.js';
import { ResidentMemory } from '../rest/memory.js';
import type { BenchAccount } from '../support/account.js';
import { below, noted, type Finding } from '../support/findings.js';
import { say } from '../support/progress.js';

const PAGES_OF_DOCUMENT = 50;
const POLL_MS = 250;
const MAX_SECONDS = 180;
const MAX_MEGABYTES = 300;
const MAX_BLOCKED_MS = 50;

interface Base {
  status: string;
  documents_count: number;
}
type One<T> = { data: T };

/** Has the service read a website, as documents of 50 pages each. @returns the id of the base */
export async function ingest(
  service: ServiceProcess,
  { headers }: BenchAccount,
  links: readonly string[],
): Promise<{ baseId: number; findings: Finding[] }> {
  const http = new Pool(service.url, { connections: 1 });
  const send = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const answer = await http.request({
      method,
      path: `/api/user/knowledgebases${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    return JSON.parse(text) as T;
  };
  const { id } = (await send<One<{ id: number }>>('POST', '', { name: 'Manual' })).data;
  const memory = new ResidentMemory(service.pid);
  const probe = await LoopProbe.start(service);
  const idle = memory.reset();
  const started = performance.now();
  for (let from = 0; from < links.length; from += PAGES_OF_DOCUMENT) {
    const part = links.slice(from, from + PAGES_OF_DOCUMENT).map((link) => ({ link }));
    const fields = { name: `Part ${from / PAGES_OF_DOCUMENT + 1}`, type: 'website', links: part };
    // The least that is possible: each document has one page more, which another one has too.
    await send('POST', `/${id}/documents`, { ...fields, relative_links_limit: 1 });
  }
  say(`knowledge: ${links.length} pages are read`);
  while ((await send<One<Base>>('GET', `/${id}`)).data.status === 'processing') await sleep(POLL_MS);
  const seconds = (performance.now() - started) / 1000;
  const growth = memory.peak() - idle;
  const { work } = await probe.stop();
  await http.close();
  return {
    baseId: id,
    findings: [
      noted('pages of the manual', '', links.length),
      below('ingestion of the manual', 's', MAX_SECONDS, seconds),
      below('memory of the service above idle while it is read', 'MB', MAX_MEGABYTES, growth),
      below('longest block of the event loop meanwhile', 'ms', MAX_BLOCKED_MS, work),
    ],
  };
}
