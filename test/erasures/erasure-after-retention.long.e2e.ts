import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { anAssistant } from '../factories/assistant.js';
import { callWhen, turnsWhen } from '../factories/call.js';
import { beginWebCall, Browser } from '../factories/web-call.js';
import { aPerson, ErasureBench, type ErasureJob } from '../support/erasure-bench.js';
import { until } from '../support/until.js';

let bench: ErasureBench;
const person = aPerson('Nightingale');
const traces = [person.number.slice(1), person.word];

interface ShownCall {
  id: number;
  type: string;
  client_phone_number: string;
  variables: Record<string, unknown>;
}

beforeAll(async () => {
  bench = await ErasureBench.start();
  await bench.meet(person);
});
afterAll(() => bench.stop());

const calls = async (): Promise<ShownCall[]> =>
  (await bench.user.client.get<{ data: ShownCall[] }>('/user/calls')).body.data;

/** Of a page that names the customer's number in a variable. */
async function aWebCall(): Promise<void> {
  const variables = { contact: `tel:${person.number}` };
  const assistant_id = await anAssistant(bench.user, { retention: { variables_days: 5 } });
  const call = await beginWebCall(bench.user, { assistant_id, variables });
  const browser = await Browser.open(call.url);
  await browser.hears(/help you/);
  browser.says(`My name is ${person.word}.`);
  await turnsWhen(bench.user, call.call_id, (turns) => turns.some(({ text }) => text.includes(person.word)));
  browser.socket.close(1000);
  await callWhen(bench.user, call.call_id, ({ status }) => status === 'completed');
}

/** Assistants of calls by telephone mask numbers, and all calls are old when the service starts again. */
async function retentionRemoves(): Promise<void> {
  const { rows } = await bench.carrier.db.query<{ id: number }>(
    'SELECT DISTINCT assistant_id AS id FROM calls WHERE client_phone_number = $1',
    [person.number],
  );
  const retention = { transcripts_days: 5, mask_numbers: true };
  for (const { id } of rows) await bench.user.client.put(`/user/assistant/${id}`, { retention });
  await bench.carrier.restart('stop', {}, () =>
    bench.carrier.db.query(`UPDATE calls SET ended_at = ended_at - interval '40 days'`),
  );
  const masked = `+*******${person.number.slice(-4)}`;
  await until(async () => {
    const removed = (await calls()).filter(({ type, client_phone_number: number, variables }) =>
      type === 'web' ? Object.keys(variables).length === 0 : number === masked,
    );
    return removed.length === 4;
  });
}

async function exportedCalls(): Promise<{ counts: Record<string, number>; ids: number[] }> {
  const { client, token } = bench.user;
  const made = await client.post<{ data: ErasureJob }>('/user/exports', { phone_number: person.number });
  const path = `/user/exports/${made.body.data.id}`;
  const { counts } = await until(async () => {
    const { body } = await client.get<{ data: ErasureJob }>(path);
    return body.data.status === 'done' ? body.data : null;
  });
  const headers = { Authorization: `Bearer ${token}` };
  const archive = await fetch(`${bench.carrier.root}${path}/archive`, { headers });
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  const rows = JSON.parse(strFromU8(files['calls.json'] ?? new Uint8Array())) as { id: number }[];
  return { counts, ids: rows.map(({ id }) => id) };
}

it('finds calls whose number retention has masked or removed, with all that is kept of them', async () => {
  await aWebCall();
  await retentionRemoves();
  const found = await exportedCalls();
  expect(found.counts).toMatchObject({ calls: 4, recordings: 3 });
  expect(found.ids).toEqual((await calls()).map(({ id }) => id).reverse());
  expect(await bench.placesWith(traces)).toEqual(expect.arrayContaining(['calls', 'call_turns']));

  const { body } = await bench.erase(person.number);
  const job = await bench.erased(body.data.id);
  expect(job).toMatchObject({ status: 'done', error: null, counts: { calls: 4, recordings: 3 } });
  expect(await bench.placesWith(traces)).toEqual([]);
  const numbers = (await calls()).map(({ client_phone_number: number }) => number);
  const masked = `+*********${person.number.slice(-2)}`;
  expect(numbers.sort()).toEqual(['', masked, masked, masked].sort());
  expect((await exportedCalls()).ids).toEqual([]);
});
