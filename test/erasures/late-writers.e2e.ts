import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { aNumber } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const carrier = Carrier.shared();
let receiver: Receiver;
let user: TestAccount;
let assistantId: number;

beforeAll(async () => {
  [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
  assistantId = await anAssistant(user, {
    calls_direction: 'receive',
    phone_number_id: user.phoneNumber.id,
    initial_message: 'Hello, this is Ada.',
  });
});
afterAll(() => receiver.close());

const isErased = (id: number) =>
  until(async () => {
    const { body } = await user.client.get<{ data: { status: string } }>(`/user/erasures/${id}`);
    return body.data.status === 'done';
  });

/** An inbound call whose conversation goes on until its socket closes. */
async function aConversation() {
  const [sid, from] = [`CA${randomBytes(16).toString('hex')}`, aNumber()];
  await carrier.incoming(user.phoneNumber.phone_number, from, sid);
  const { rows } = await database().query<{ id: number; token: string }>(
    'SELECT id, token FROM calls WHERE carrier_sid = $1',
    [sid],
  );
  const { id, token } = rows[0] ?? { id: 0, token: '' };
  const socket = await carrier.connects(token);
  let spoken = 0;
  socket.on('message', (data) => {
    const { type, last } = JSON.parse(String(data)) as { type: string; last?: boolean };
    if (type === 'text' && last) spoken += 1;
  });
  /** Resolves when it is answered: then it is stored. */
  const says = async (voicePrompt: string): Promise<void> => {
    const before = spoken;
    socket.send(JSON.stringify({ type: 'prompt', voicePrompt, lang: 'en-US', last: true }));
    await until(() => Promise.resolve(spoken > before));
  };
  const ends = () =>
    carrier.says(`status/${token}`, { CallSid: sid, CallStatus: 'completed', CallDuration: '9' });
  return { id, sid, from, socket, says, ends };
}

const storedOf = async (id: number): Promise<string> => {
  const { rows } = await database().query<{ stored: string }>(
    `SELECT concat(calls::text, (SELECT string_agg(turn::text, '') FROM call_turns turn WHERE call_id = $1),
              (SELECT string_agg(event::text, '') FROM live_events event WHERE call_id = $1)) AS stored
       FROM calls WHERE id = $1`,
    [id],
  );
  return rows[0]?.stored ?? '';
};

describe('of an erased call', () => {
  it('a conversation that still runs stores nothing, nor does a late report of the carrier', async () => {
    const { id, sid, from, socket, says, ends } = await aConversation();
    await says('My name is Wainwright.');
    expect(await storedOf(id)).toContain('Wainwright');
    await ends();
    await callWhen(user, id, ({ status }) => status === 'completed');
    const { body } = await user.client.post<{ data: { id: number } }>('/user/erasures', {
      phone_number: from,
    });
    await isErased(body.data.id);
    await says('Did you hear that I am Wainwright?');
    await ends();
    socket.close();
    const stored = await storedOf(id);
    for (const trace of ['Wainwright', from.slice(1), sid]) expect(stored).not.toContain(trace);
    const turns = await user.client.get<{ data: { turns: object[] } }>(`/user/calls/${id}/turns`);
    expect(turns.body.data.turns).toEqual([]);
  });
});

describe('of what has ended', () => {
  it('a call gets no variables from a webhook that answers late', async () => {
    const inbound = { assistant_id: assistantId, webhook_url: receiver.url };
    await user.client.post('/user/assistants/enable-inbound-webhook', inbound);
    let answer: () => void = () => undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    receiver.reply = () => ({ body: '{"variables":{"name":"Wainwright"}}', after });
    const sid = `CA${randomBytes(16).toString('hex')}`;
    const planned = carrier.incoming(user.phoneNumber.phone_number, aNumber(), sid);
    const [request] = await receiver.requests(1);
    await carrier.says('status', { CallSid: sid, CallStatus: 'completed', CallDuration: '1' });
    answer();
    await planned;
    const { body } = await user.client.get<{ variables: object }>(
      `/user/calls/${String(request?.body['call_id'])}`,
    );
    expect(body.variables).not.toHaveProperty('name');
  });

  it('a text conversation gets no variables: they begin a new one', async () => {
    const said = (variables: object) =>
      user.client.post<{ conversation_id: string }>('/user/ai/generate-reply', {
        assistant_id: assistantId,
        customer_identifier: 'customer 1',
        message: 'Hello',
        variables,
      });
    const shown = async (id: string) =>
      (await user.client.get<{ variables: object }>(`/conversations/${id}`)).body.variables;
    const first = (await said({ name: 'Ada' })).body.conversation_id;
    const client = await database().connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid FROM chats WHERE uuid = $1 FOR UPDATE',
        [first],
      );
      const second = said({ name: 'Wainwright' });
      await until(async () => {
        const { rowCount } = await database().query(
          'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
          [rows[0]?.pid],
        );
        return rowCount !== 0;
      });
      await client.query(
        `UPDATE chats SET state = 'ended', ended_reason = 'ended_by_user', ended_at = now(), end_due_at = now()
          WHERE uuid = $1`,
        [first],
      );
      await client.query('COMMIT');
      const { status, body } = await second;
      expect([status, await shown(body.conversation_id)]).toEqual([200, { name: 'Wainwright' }]);
      expect(await shown(first)).toEqual({ name: 'Ada' });
    } finally {
      client.release();
    }
  });
});
