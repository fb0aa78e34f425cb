import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { HANGS_UP, type CallRecord } from '../factories/call.js';
import type { Begun } from '../factories/conversation.js';
import { deliveriesOf } from '../factories/webhook.js';
import { runCommand } from '../support/command.js';
import { Carrier } from '../support/carrier.js';
import { ask, Recordings } from '../support/recordings-bench.js';
import { PlantedContents, wordsStored, type Contents } from '../support/retention-contents.js';
import { keeps, RetentionPass } from '../support/retention.js';
import type { Sms } from '../support/sms.js';
import { until } from '../support/until.js';

describe('contents that are older than their account wants', () => {
  const recordings = Recordings.shared();
  const planting = new PlantedContents();
  let pass: RetentionPass;
  let user: TestAccount;
  let neighbour: TestAccount;
  let old: Contents;
  let young: Contents;
  let foreign: Contents;

  const callOf = async ({ client }: TestAccount, id: number) =>
    (await client.get<CallRecord & Record<string, unknown>>(`/user/calls/${id}`)).body;
  const balanced = async (): Promise<unknown> => {
    const { output } = await runCommand(['accounts', 'verify', '--json']);
    const { findings } = JSON.parse(output) as { findings: { accountId: number }[] };
    return findings.filter(({ accountId }) => accountId === user.id);
  };

  beforeAll(async () => {
    pass = await RetentionPass.open();
    [user, neighbour] = await Promise.all([anAccount(), anAccount()]);
    old = await planting.plant(user);
    await planting.age(old, user);
    foreign = await planting.plant(neighbour);
    await planting.age(foreign, neighbour);
    young = await planting.plant(user);
    await keeps(user, {
      recordings_days: 30,
      transcripts_days: 30,
      variables_days: 30,
      conversations_days: 30,
      sms_days: 30,
      deliveries_days: 30,
      mask_numbers: true,
    });
  });
  afterAll(async () => {
    await pass.close();
    await planting.stop();
  });

  it('are in the database before', async () => {
    expect(await wordsStored(old)).toEqual(Object.keys(old.words));
  });

  it('are in no row of any table after a pass; younger ones and those of others are', async () => {
    const before = await callOf(user, old.callId);
    // Texts of evaluations leave the sums when these are up to date.
    await until(async () => {
      await pass.run([user, neighbour]);
      return (await wordsStored(old)).length === 0;
    });
    expect(await wordsStored(young)).toEqual(Object.keys(young.words));
    expect(await wordsStored(foreign)).toEqual(Object.keys(foreign.words));
    const { recording_url: gone, ...kept } = before;
    expect(gone).toBeDefined();
    expect(await callOf(user, old.callId)).toEqual({
      ...kept,
      transcript: '',
      variables: {},
      evaluation: {},
      webhook_response: {},
      client_phone_number: `+*******${HANGS_UP.slice(-4)}`,
      transcript_deleted_at: expect.any(String),
      variables_deleted_at: expect.any(String),
    });
    expect(await balanced()).toEqual([]);
  });

  it('are gone from turns, whose times stay', async () => {
    const { body } = await user.client.get<{
      data: { turns: { role: string; text: string | null; created_at: string; tool?: object }[] };
    }>(`/user/calls/${old.callId}/turns`);
    const { turns } = body.data;
    expect(turns.filter(({ role }) => role !== 'tool').map(({ text }) => text)).not.toContain(null);
    expect(turns.filter(({ text }) => text)).toEqual([]);
    expect(turns.flatMap(({ tool }) => (tool ? [tool] : []))).toEqual([
      {
        name: 'check_order',
        arguments: {},
        status: 'failed',
        status_code: 500,
        duration_ms: 5,
        error: null,
        result: '',
      },
      {
        name: 'schedule_callback',
        arguments: { local_time: '' },
        status: 'ok',
        status_code: null,
        duration_ms: 5,
        error: null,
        result: '',
      },
    ]);
  });

  it('are gone from the list, the export, the log of deliveries and the events of calls', async () => {
    const { body } = await user.client.get<{ data: Record<string, unknown>[] }>('/user/calls');
    const row = body.data.find(({ id }) => id === old.callId);
    expect([row?.['transcript'], row?.['variables'], 'recording_url' in (row ?? {})]).toEqual([
      '',
      {},
      false,
    ]);
    const { text } = await user.client.get('/user/calls/export');
    expect(Object.values(old.words).filter((word) => text.includes(word))).toEqual([]);
    expect(text).toContain(young.words.variable);
    expect(await deliveriesOf(user, `call_id=${old.callId}`)).toEqual([]);
    expect(await deliveriesOf(user, `call_id=${young.callId}`)).toHaveLength(1);
  });

  it('include the recording, here and at the carrier', async () => {
    await until(async () => (await recordings.stateOf({ id: old.callId })) === null);
    expect((await ask(old.recordingUrl)).status).toBe(404);
    expect((await recordings.fetchAtCarrier({ carrierUrl: old.carrierUrl })).status).toBe(404);
    const own = await user.client.get(`/user/calls/${old.callId}/recording`);
    expect([own.status, own.body]).toEqual([404, { message: 'Recording not found' }]);
    for (const { recordingUrl } of [young, foreign]) expect((await ask(recordingUrl)).status).toBe(200);
  });

  it('include text conversations, whose counts and costs stay', async () => {
    const { body } = await user.client.get<{ data: Record<string, unknown>[] }>('/user/conversations');
    const row = (id: string) => body.data.find((chat) => chat['id'] === id);
    expect(row(old.chatId)).toMatchObject({
      variables: {},
      external_identifier: null,
      evaluation: {},
      status: 'ended',
      message_count: row(young.chatId)?.['message_count'],
      total_cost: row(young.chatId)?.['total_cost'],
      content_deleted_at: expect.any(String),
    });
    expect(row(young.chatId)).toMatchObject({
      external_identifier: young.words.customer,
      content_deleted_at: null,
    });
    const history = await user.client.get<Begun>(`/conversations/${old.chatId}`);
    expect([history.status, history.body.history]).toEqual([200, []]);
  });

  it('include the bodies of SMS, whose costs stay', async () => {
    const sms = async (id: number) => (await user.client.get<{ data: Sms }>(`/user/sms/${id}`)).body.data;
    const { id, body, sms_sid, ...kept } = await sms(young.smsId);
    expect(await sms(old.smsId)).toEqual({
      ...kept,
      id: old.smsId,
      body: '',
      status: expect.any(String),
      sms_sid: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect([id, body]).toEqual([young.smsId, young.words.sms]);
    const sid = (await sms(old.smsId)).sms_sid ?? '';
    const carrier = Carrier.shared();
    await until(async () => (await carrier.messageBody(sid)) === '');
    expect(await carrier.messageBody(sms_sid ?? '')).toBe(young.words.sms);
  });

  it('are counted in metrics by kind', async () => {
    expect(await pass.removed('transcripts')).toBe(1);
    for (const kind of ['recordings', 'numbers', 'variables', 'conversations', 'sms'])
      expect([kind, await pass.removed(kind)]).toEqual([kind, 1]);
    expect(await pass.removed('deliveries')).toBe(2);
  });

  it('do not come back, and a second pass finds nothing', async () => {
    const before = await callOf(user, old.callId);
    await pass.run([user, neighbour]);
    expect(await callOf(user, old.callId)).toEqual(before);
    expect(await pass.removed('transcripts')).toBe(1);
  });
});
