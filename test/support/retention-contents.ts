import { randomBytes } from 'node:crypto';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aWidgetAssistant, type Begun } from '../factories/conversation.js';
import { database, everyRow } from './database.js';
import { Receiver } from './receiver.js';
import { endedDaysAgo } from './retention.js';
import { DELIVERED, type Sent } from './sms.js';
import { until } from './until.js';

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
  request: secret('request'),
  sms: secret('sms'),
});
type Words = ReturnType<typeof words>;

/** Where the words are. */
export interface Contents {
  words: Words;
  callId: number;
  recordingUrl: string;
  carrierUrl: string;
  chatId: string;
  smsId: number;
}

const OLD_DAYS = 40;

/** Contents of accounts, with words that can be searched for. */
export class PlantedContents {
  private readonly receivers: Receiver[] = [];

  /** A call, a text conversation and an SMS, with a word in every place where words are stored. */
  async plant(account: TestAccount): Promise<Contents> {
    const own = words();
    const receiver = await Receiver.open();
    this.receivers.push(receiver);
    receiver.reply = () => ({ body: own.received });
    const callId = await aRecordedCall(account, own, receiver);
    const { rows } = await database().query<{ url: string }>(
      'SELECT recording_url AS url FROM calls WHERE id = $1',
      [callId],
    );
    const { body: record } = await account.client.get<{ recording_url?: string }>(`/user/calls/${callId}`);
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

  /** Moves everything into the past. */
  async age({ callId, chatId, smsId }: Contents, account: TestAccount): Promise<void> {
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

  async stop(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
  }
}

/** Names of the words that stand in some row of the database. */
export async function wordsStored({ words: own }: Contents): Promise<string[]> {
  const rows = await everyRow();
  return Object.entries(own).flatMap(([name, word]) => (rows.includes(word) ? [name] : []));
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
  const { body } = await account.client.post<Begun & { conversation_id: string }>('/user/ai/generate-reply', {
    assistant_id: assistant.uuid,
    customer_identifier: own.customer,
    message: own.typed,
    variables: { name: own.variable },
  });
  await account.client.post(`/user/conversations/${body.conversation_id}/end`);
  await until(async () => {
    const { rows } = await database().query('SELECT FROM chats WHERE uuid = $1 AND end_due_at IS NULL', [
      body.conversation_id,
    ]);
    return rows.length === 1 && receiver.received.some(({ text }) => text.includes(own.typed));
  });
  // As of a conversation that was begun with an `Idempotency-Key`.
  await database().query('UPDATE chats SET request_key = $2, request_hash = $2 WHERE uuid = $1', [
    body.conversation_id,
    own.request,
  ]);
  return body.conversation_id;
}
