/**
 * Load generator: a process that sends the noisy tenant's requests until it is stopped. Runs at low priority, so that it
 * does not take CPU time from the service and the measurement.
 */
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, FormData } from 'undici';
import { assistantBody } from '../../../test/factories/assistant.js';
import type { NoisyTenant } from './noisy-tenant.js';

export interface LoadOptions {
  url: string;
  tenant: Omit<NoisyTenant, 'account'> & { token: string };
}

const LOW_PRIORITY = 10;
/** Parallel loops of each kind: 60 that write, 12 that read. */
const LOOPS = { deletes: 8, updates: 24, assistants: 16, imports: 12, lists: 4, slowReaders: 8 };
const LARGE_TEXT = 'x'.repeat(8_000);
const VARIABLES = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`v${index}`, LARGE_TEXT]));
const IMPORTED = 5_000;
const READ_BYTES = 1_024;
const READ_PAUSE_MS = 1_000;
const FAILED_PAUSE_MS = 50;

const answers: Record<string, number> = {};
const agent = new Agent({ connections: 256, headersTimeout: 600_000, bodyTimeout: 600_000 });

process.once('message', (order: LoadOptions) => void start(order));
process.on('message', (message) => {
  if (message === 'stop') process.send?.(answers, () => process.exit(0));
});
// The parent process has ended.
process.once('disconnect', () => process.exit(1));
setPriority(LOW_PRIORITY);

async function start({ url, tenant }: LoadOptions): Promise<void> {
  const headers = { authorization: `Bearer ${tenant.token}`, accept: 'application/json' };
  const send = async (
    kind: string,
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<void> => {
    const isForm = body instanceof FormData;
    const type = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const status = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...headers, ...type },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      dispatcher: agent,
    }).then(
      async (answer) => {
        for await (const chunk of answer.body ?? []) void chunk;
        return answer.status;
      },
      () => 0,
    );
    const key = `${kind} ${status}`;
    answers[key] = (answers[key] ?? 0) + 1;
    if (status === 0 || status === 429 || status === 503) await sleep(FAILED_PAUSE_MS);
  };
  for (const campaign_id of tenant.closedCampaigns) {
    await send('start', 'POST', '/user/campaigns/update-status', { campaign_id, action: 'start' });
  }
  const spare = [...tenant.spareCampaigns];
  let turn = 0;
  const deleteCampaign = async (): Promise<void> => {
    // Without spare campaigns the request gets 404, but still takes the account's locks.
    await send('delete', 'DELETE', `/user/campaigns/${spare.pop() ?? tenant.importCampaign + 1_000_000}`);
  };
  const updateLead = (): Promise<void> =>
    send('update', 'PUT', `/user/leads/${tenant.leadIds[turn++ % tenant.leadIds.length]}`, {
      variables: { ...VARIABLES, turn },
    });
  const createAssistant = (): Promise<void> =>
    send('assistant', 'POST', '/user/assistant', assistantBody({ system_prompt: LARGE_TEXT }));
  const importLeads = (): Promise<void> =>
    send('import', 'POST', '/user/leads/import', importForm(tenant, turn++));
  const listAll = (): Promise<void> =>
    send('list', 'GET', turn++ % 2 === 0 ? '/user/leads' : '/user/assistants');
  repeat(LOOPS.deletes, deleteCampaign);
  repeat(LOOPS.updates, updateLead);
  repeat(LOOPS.assistants, createAssistant);
  repeat(LOOPS.imports, importLeads);
  repeat(LOOPS.lists, listAll);
  repeat(LOOPS.slowReaders, () => readSlowly(url, tenant.token));
}

function repeat(loops: number, work: () => Promise<void>): void {
  const loop = async (): Promise<never> => {
    for (;;) await work();
  };
  for (let count = 0; count < loops; count++) void loop();
}

function importForm({ importCampaign }: LoadOptions['tenant'], turn: number): FormData {
  const lines = Array.from(
    { length: IMPORTED },
    (_, index) => `+1${2_200_000_000 + turn * IMPORTED + index},Ada`,
  );
  const form = new FormData();
  form.set('campaign_id', String(importCampaign));
  form.set('file', new Blob([`phone_number,customer_name\n${lines.join('\n')}\n`]), 'leads.csv');
  return form;
}

/** Reads the list of leads at 1 KB per second. */
async function readSlowly(url: string, token: string): Promise<void> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  let open = true;
  socket.on('error', () => undefined);
  socket.on('close', () => (open = false));
  socket.on('end', () => (open = false));
  socket.pause();
  socket.write(`GET /api/user/leads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  for (; open; await sleep(READ_PAUSE_MS)) socket.read(READ_BYTES);
  socket.destroy();
}
