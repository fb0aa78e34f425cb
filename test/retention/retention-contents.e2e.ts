import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, HANGS_UP, type CallRecord } from '../factories/call.js';
import { aWidgetAssistant, type Begun } from '../factories/conversation.js';
import { deliveriesOf } from '../factories/webhook.js';
import { runCommand } from '../support/command.js';
import { database, everyRow } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { ask, Recordings } from '../support/recordings-bench.js';
import { endedDaysAgo, keeps, RetentionPass } from '../support/retention.js';
import { DELIVERED, type Sent, type Sms } from '../support/sms.js';
import { until } from '../support/until.js';

/** In no other row of the database. */
const secret = (what: string): string => `${what}${randomBytes(6).toString('hex')}`;
const words = () => ({
  variable: secret('variable'),
  value: secret('value'),
  said: secret('said'),
  argument: secret('argument'),
  answer: secret('answer'),
  event: secret('event'),
  received: secret('received'),
  typed: secret('typed'),
  customer: secret('customer'),
  sms: secret('sms'),
});
type Words = ReturnType<typeof words>;

interface Contents {
  words: Words;
  callId: number;
  recordingUrl: string;
  carrierUrl: string;
  chatId: string;
  smsId: number;
}

const OLD_DAYS = 40;

describe('contents that are older than their account wants', () => {
  const recordings = Recordings.shared();
  const receivers: Receiver[] = [];
  let pass: RetentionPass;
  let user: TestAccount;
  let neighbour: TestAccount;
  let old: Contents;
  let young: Contents;
  let foreign: Contents;

  /** A call, a text conversation and an SMS, with a word in every place where words are stored. */
  async function contentsOf(account: TestAccount): Promise<Contents> {
    const own = words();
    const receiver = await Receiver.open();
    receivers.push(receiver);
    receiver.reply = () => ({ body: own.received });
    const callId = await aRecordedCall(account, own, receiver);
    const { rows } = await database().query<{ url: string }>(
      'SELECT recording_url AS url FROM calls WHERE id = $1',
      [callId],
    );
    const record = (await callOf(account, callId)) as { recording_url?: string };
    const chatId = await anEndedChat(account, own, receiver);
    const sms = await account.client.post<Sent>('/user/sms', {
      from: account.phoneNumber.id,
      to: DELIVERED,
      body: own.sms,
    });
    return {
      words: own,
      callId,
      recordingUrl: record.recording_url ?? '',
      carrierUrl: rows[0]?.url ?? '',
      chatId,
      smsId: sms.body.data.id,
    };
  }

  async function aRecordedCall(account: TestAccount, own: Words, receiver: Receiver): Promise<number> {
    const assistantId = await anAssistant(account, {
      initial_message: 'Hello {name}, how can I help you?',
      record_call: true,
      is_webhook_active: true,
      webhook_url: receiver.url,
    });
    const id = await aCall(account, assistantId, { variables: { name: own.variable } });
    await callWhen(account, id, (call) => 'recording_url' in call && call.webhook_response.attempts === 1);
    await database().query(
      `WITH turn AS (INSERT INTO call_turns (call_id, seq, role, text) VALUES ($1, 901, 'customer', $2)),
            run AS (INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, status_code, duration_ms, error)
                    VALUES ($1, 902, 'check_order', jsonb_build_object('order', $3::text), $4, false, 500, 5, $4),
                           ($1, 903, 'schedule_callback', jsonb_build_object('local_time', $3::text), $4, true, NULL, 5, NULL)),
            event AS (INSERT INTO live_events (account_id, call_id, kind, data)
                      VALUES ($5, $1, 'turn', json_build_object('text', $6::text)))
       UPDATE calls SET transcript = transcript || E'\\nCustomer: ' || $2, evaluation_error = $7,
              evaluation = jsonb_build_object('summary', $7::text) WHERE id = $1`,
      [id, own.said, own.argument, own.answer, account.id, own.event, own.value],
    );
    return id;
  }

  async function anEndedChat(account: TestAccount, own: Words, receiver: Receiver): Promise<string> {
    const assistant = await aWidgetAssistant(account, { conversation_ended_webhook_url: receiver.url });
    const { body } = await account.client.post<Begun & { conversation_id: string }>(
      '/user/ai/generate-reply',
      {
        assistant_id: assistant.uuid,
        customer_identifier: own.customer,
        message: own.typed,
        variables: { name: own.variable },
      },
    );
    await account.client.post(`/user/conversations/${body.conversation_id}/end`);
    await until(async () => {
      const { rows } = await database().query('SELECT FROM chats WHERE uuid = $1 AND end_due_at IS NULL', [
        body.conversation_id,
      ]);
      return rows.length === 1 && receiver.received.some(({ text }) => text.includes(own.typed));
    });
    return body.conversation_id;
  }

  /** Moves everything into the past. */
  async function age({ callId, chatId, smsId }: Contents, account: TestAccount): Promise<void> {
    await endedDaysAgo(OLD_DAYS, callId);
    const back = (table: string, column: string, where: string, value: unknown) =>
      database().query(
        `UPDATE ${table} SET ${column} = now() - interval '${OLD_DAYS} days' WHERE ${where} = $1`,
        [value],
      );
    await back('chats', 'updated_at', 'uuid', chatId);
    await back('sms_messages', 'created_at', 'id', smsId);
    await until(async () => {
      const { rows } = await database().query(
        `SELECT FROM webhook_deliveries WHERE account_id = $1 AND state = 'pending'`,
        [account.id],
      );
      return rows.length === 0;
    });
    await back('webhook_deliveries', 'created_at', 'account_id', account.id);
  }

  const callOf = async ({ client }: TestAccount, id: number) =>
    (await client.get<CallRecord & Record<string, unknown>>(`/user/calls/${id}`)).body;
  const present = async ({ words: own }: Contents): Promise<string[]> => {
    const rows = await everyRow();
    return Object.entries(own).flatMap(([name, word]) => (rows.includes(word) ? [name] : []));
  };
  const balanced = async (): Promise<unknown> => {
    const { output } = await runCommand(['accounts', 'verify', '--json']);
    const { findings } = JSON.parse(output) as { findings: { accountId: number }[] };
    return findings.filter(({ accountId }) => accountId === user.id);
  };

  beforeAll(async () => {
    pass = await RetentionPass.open();
    [user, neighbour] = await Promise.all([anAccount(), anAccount()]);
    old = await contentsOf(user);
    await age(old, user);
    foreign = await contentsOf(neighbour);
    await age(foreign, neighbour);
    young = await contentsOf(user);
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
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('are in the database before', async () => {
    expect(await present(old)).toEqual(Object.keys(old.words));
  });

  it('are in no row of any table after a pass; younger ones and those of others are', async () => {
    const before = await callOf(user, old.callId);
    await pass.run();
    expect(await present(old)).toEqual([]);
    expect(await present(young)).toEqual(Object.keys(young.words));
    expect(await present(foreign)).toEqual(Object.keys(foreign.words));
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
    const sms = async (id: number) => (await user.client.get<Sms>(`/user/sms/${id}`)).body;
    const { id, body, ...kept } = await sms(young.smsId);
    expect(await sms(old.smsId)).toEqual({
      ...kept,
      id: old.smsId,
      body: '',
      sms_sid: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect([id, body]).toEqual([young.smsId, young.words.sms]);
  });

  it('are counted in metrics by kind', async () => {
    expect(await pass.removed('transcripts')).toBe(1);
    for (const kind of ['recordings', 'numbers', 'variables', 'conversations', 'sms'])
      expect([kind, await pass.removed(kind)]).toEqual([kind, 1]);
    expect(await pass.removed('deliveries')).toBe(2);
  });

  it('do not come back, and a second pass finds nothing', async () => {
    const before = await callOf(user, old.callId);
    await pass.run();
    expect(await callOf(user, old.callId)).toEqual(before);
    expect(await pass.removed('transcripts')).toBe(1);
  });
});
