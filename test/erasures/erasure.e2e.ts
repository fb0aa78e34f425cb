import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { anAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { secretOf } from '../factories/webhook.js';
import { aSilentNumber, callWhen } from '../factories/call.js';
import { auditLog } from '../support/audit.js';
import { aPerson, ErasureBench, TOOL_SECRET, type ErasureJob } from '../support/erasure-bench.js';
import { until } from '../support/until.js';

let bench: ErasureBench;
const person = aPerson('Quillfeather');
const other = aPerson('Bramblewick');

/** With what a dump has of the number when its + is left out. */
const tracesOf = ({ number, word }: typeof person): string[] => [number.slice(1), word];
const OF_NUMBER = '(SELECT id FROM calls WHERE client_phone_number = $1)';

beforeAll(async () => {
  bench = await ErasureBench.start();
  await bench.meet(person);
  await bench.meet(other);
});
afterAll(() => bench.stop());

const counted = async (number: string): Promise<Record<string, number>> => {
  const statements: Record<string, string> = {
    leads: 'SELECT count(*)::int AS n FROM leads WHERE phone_number = $1',
    calls: 'SELECT count(*)::int AS n FROM calls WHERE client_phone_number = $1',
    turns: `SELECT count(*)::int AS n FROM call_turns WHERE call_id IN ${OF_NUMBER}`,
    tool_runs: `SELECT count(*)::int AS n FROM call_tool_runs WHERE call_id IN ${OF_NUMBER}`,
    recordings: `SELECT count(*)::int AS n FROM recordings WHERE call_id IN ${OF_NUMBER}`,
    live_events: `SELECT count(*)::int AS n FROM live_events WHERE call_id IN ${OF_NUMBER}`,
    deliveries: `SELECT count(*)::int AS n FROM webhook_deliveries WHERE call_id IN ${OF_NUMBER}`,
    conversations: 'SELECT count(*)::int AS n FROM chats WHERE external_identifier = $1',
    conversation_messages: `SELECT count(*)::int AS n FROM chat_turns JOIN chats ON chats.id = chat_id
      WHERE external_identifier = $1`,
    messages: 'SELECT count(*)::int AS n FROM sms_messages WHERE to_number = $1',
    questions: `SELECT count(*)::int AS n FROM unanswered_questions JOIN chats ON chats.id = chat_id
      WHERE external_identifier = $1`,
    suppressions: 'SELECT count(*)::int AS n FROM suppressions WHERE phone_number = $1',
  };
  const counts: Record<string, number> = {};
  for (const [kind, sql] of Object.entries(statements)) counts[kind] = await bench.count(sql, number);
  return counts;
};

interface Archive {
  files: Record<string, Uint8Array>;
  rows(kind: string): Record<string, unknown>[];
}

async function archiveOf(number: string): Promise<Archive & { id: number }> {
  const { client, token } = bench.user;
  const made = await client.post<{ data: ErasureJob }>('/user/exports', { phone_number: number });
  const { id } = made.body.data;
  const job = await until(async () => {
    const { body } = await client.get<{ data: ErasureJob }>(`/user/exports/${id}`);
    return body.data.status === 'done' ? body.data : null;
  });
  expect(job.phone_number).toMatch(/^\+\*+\d\d$/);
  const response = await fetch(`${bench.carrier.root}/user/exports/${id}/archive`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const rows = (kind: string) =>
    JSON.parse(strFromU8(files[`${kind}.json`] ?? new Uint8Array())) as Record<string, unknown>[];
  for (const kind of ['leads', 'calls', 'messages', 'conversations', 'deliveries', 'suppressions'])
    expect([kind, rows(kind).length]).toEqual([kind, job.counts[kind]]);
  return { id, files, rows };
}

describe('an export', () => {
  it('has all that the account has of the person, with recordings, and nothing of others', async () => {
    const { files, rows } = await archiveOf(person.number);
    const counts = await counted(person.number);
    for (const kind of ['leads', 'calls', 'live_events', 'conversations', 'messages', 'suppressions'])
      expect([kind, rows(kind).length]).toEqual([kind, counts[kind]]);
    const calls = rows('calls') as { turns: object[]; tool_runs: object[]; transcript: string }[];
    expect(calls.map(({ transcript }) => transcript.includes(person.word))).toEqual([true, true, false]);
    expect(calls.flatMap(({ turns }) => turns)).toHaveLength(counts['turns'] ?? 0);
    expect(calls.flatMap(({ tool_runs }) => tool_runs)).toHaveLength(counts['tool_runs'] ?? 0);
    expect(rows('deliveries').every(({ attempts }) => (attempts as object[]).length > 0)).toBe(true);
    expect(JSON.stringify(rows('conversations'))).toContain(person.word);
    expect(JSON.stringify(rows('messages'))).toContain(person.word);
    expect(rows('stored_answers').length).toBeGreaterThanOrEqual(3);
    const recordings = Object.keys(files).filter((name) => name.startsWith('recordings/'));
    expect(recordings).toHaveLength(3);
    for (const name of recordings)
      expect(strFromU8(files[name] ?? new Uint8Array()).slice(0, 4)).toBe('RIFF');
    const all = Object.values(files)
      .map((file) => strFromU8(file, true))
      .join('');
    for (const trace of tracesOf(other)) expect(all).not.toContain(trace);
  });
});

describe('an erasure', () => {
  it('needs the scope admin and a number, and is nothing of another account', async () => {
    const reader = await anApiKey(bench.user, { name: 'CRM', scopes: ['write'] });
    const refused = await bench.user.client
      .withToken(reader.token)
      .post('/user/erasures', { phone_number: person.number });
    expect(refused.status).toBe(403);
    const invalid = await bench.user.client.post('/user/erasures', { phone_number: 'nobody' });
    expect(invalid).toMatchObject({ status: 422, body: { errors: { phone_number: [expect.any(String)] } } });
    const stranger = await anAccount({ service: bench.carrier });
    const { body } = await bench.erase(person.number, {}, stranger);
    const foreign = await bench.user.client.get(`/user/erasures/${body.data.id}`);
    expect(foreign).toMatchObject({ status: 404, body: { message: 'Erasure not found' } });
    expect(
      await bench.count('SELECT count(*)::int AS n FROM leads WHERE phone_number = $1', person.number),
    ).toBe(1);
  });

  it('leaves no trace of the person anywhere, counts what was there, and changes nothing of another one', async () => {
    const archive = await archiveOf(person.number);
    const before = await counted(person.number);
    const untouched = await bench.rowsWith(tracesOf(other));
    expect(await bench.placesWith(tracesOf(person))).toEqual(
      expect.arrayContaining(['calls', 'leads', 'webhook_deliveries', 'the carrier', 'the journal']),
    );
    const made = await bench.erase(person.number, { keep_suppressed: true });
    expect([made.status, made.body.data.phone_number]).toEqual([201, `+*********${person.number.slice(-2)}`]);
    const job = await bench.erased(made.body.data.id);
    expect(job).toMatchObject({ status: 'done', error: null, waits_for: null });
    const { stored_answers = 0, ...counts } = job.counts;
    expect(counts).toEqual(before);
    expect(stored_answers).toBeGreaterThanOrEqual(4);
    expect(await bench.placesWith(tracesOf(person))).toEqual([]);
    // The exported traces, among which it was searched, are those of the calls.
    expect(bench.traces.spans.filter(({ name }) => name === 'call').length).toBeGreaterThanOrEqual(3);
    expect(await bench.rowsWith(tracesOf(other))).toEqual(untouched);
    const gone = await bench.user.client.get(`/user/exports/${archive.id}/archive`);
    expect(gone).toMatchObject({ status: 410, body: { message: 'The archive is no longer kept.' } });
  });

  it('keeps calls, messages and costs for the accounts, with the masked number', async () => {
    const masked = `+*********${person.number.slice(-2)}`;
    const { body: calls } = await bench.user.client.get<{ data: { client_phone_number: string }[] }>(
      '/user/calls',
    );
    expect(calls.data.filter((call) => call.client_phone_number === masked)).toHaveLength(3);
    const { body: sms } = await bench.user.client.get<{ data: { to: string; body: string }[] }>('/user/sms');
    expect(sms.data.filter(({ to }) => to === masked)).toMatchObject([{ body: '' }]);
    const { rows } = await bench.carrier.db.query<{ problem: string | null }>(
      `SELECT NULL AS problem FROM accounts WHERE balance_micros <> (
         SELECT sum(amount_micros) FROM ledger_entries WHERE account_id = accounts.id)`,
    );
    expect(rows).toEqual([]);
  });

  it('keeps the number on the suppression list, as a hash, against calls, messages and campaigns', async () => {
    const refused = { message: 'The phone number is on the suppression list.' };
    expect((await bench.makeCall(person.number)).body).toMatchObject(refused);
    const sms = { from: bench.user.phoneNumber.id, to: person.number, body: 'Again?' };
    expect(await bench.user.client.post('/user/sms', sms)).toMatchObject({ status: 400, body: refused });
    const { body } =
      await bench.user.client.get<{ id: number; phone_number: string }[]>('/user/suppressions');
    const kept = body.filter(({ phone_number }) => phone_number === 'erased');
    expect(kept).toHaveLength(1);
    const lead = await bench.leadWith(person.number);
    await until(async () => {
      const { body: shown } = await bench.user.client.get<{ data: { last_outcome: string | null } }>(
        `/user/leads/${lead.id}`,
      );
      return shown.data.last_outcome === 'suppressed';
    });
    await bench.user.client.delete(`/user/leads/${lead.id}`);
    await bench.user.client.delete(`/user/suppressions/${kept[0]?.id}`);
    const id = await bench.callTo(person.number);
    await callWhen(bench.user, id, ({ status }) => status === 'completed');
  });

  it('ends a running call first, refuses new ones meanwhile, and is one for one number', async () => {
    const number = aSilentNumber(41);
    const id = await bench.callTo(number);
    await callWhen(bench.user, id, ({ status }) => status === 'in-progress');
    const answers = await Promise.all([bench.erase(number), bench.erase(number)]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await bench.makeCall(number)).status).toBeGreaterThanOrEqual(400);
    const job = await bench.erased(answers[0].body.data.id);
    expect(job).toMatchObject({ status: 'done', counts: { calls: 1 } });
    expect(await callWhen(bench.user, id, ({ status }) => status === 'completed')).toMatchObject({
      ended_reason: 'ended_by_user',
      client_phone_number: `+*********${number.slice(-2)}`,
      transcript: '',
    });
    // It was not asked to keep it.
    const { body } = await bench.user.client.get<{ phone_number: string }[]>('/user/suppressions');
    expect(body.map(({ phone_number }) => phone_number)).not.toContain('erased');
    expect(await bench.placesWith([number.slice(1)])).toEqual([]);
  });

  it('is in the audit log without the number', async () => {
    const entries = await auditLog(bench.user, 'resource_type=erasure');
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['erasure.create', 'erasure.finish']),
    );
    expect(JSON.stringify(await auditLog(bench.user))).not.toContain(person.number.slice(1));
  });
});

it('keeps no secret of an account in clear: in no table, file, log or trace, nor at the carrier', async () => {
  const { user } = bench;
  const { token } = await anApiKey(user);
  const webhookSecret = (await secretOf(user)).replace('whsec_', '');
  expect(await bench.placesWith([user.token, token, TOOL_SECRET, webhookSecret])).toEqual([]);
});
