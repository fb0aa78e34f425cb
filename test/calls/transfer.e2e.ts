import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { baseUrl } from '../support/client-base.js';
import { database } from '../support/database.js';
import { EventStreamClient } from '../support/event-stream.js';
import { Receiver } from '../support/receiver.js';
import { journalOf } from '../support/sandbox.js';

/** Asks for a person, and says goodbye when there is none. */
const CALLER = '+15005550040';
const UNREACHED = 'AI: I am sorry, nobody could be reached. How else can I help you?';
/** Of the sandbox, unless told. */
const PEOPLE = {
  answers: '+15005550041',
  busy: '+15005550003',
  'does not answer': '+15005550004',
  'cannot be called': '+15005550001',
  'is a premium number': '+19005550123',
};

interface TransferredCall {
  id: number;
  transcript: string;
  ended_by: string;
  ended_reason: string;
  duration: number;
  carrier_cost: number;
  transfers: { to: string; status: string; at: string }[];
}

const calling = async (user: TestAccount, phone_number: string, fields = {}): Promise<number> =>
  aCall(
    user,
    await anAssistant(user, {
      post_call_evaluation: false,
      transfer_numbers: [{ name: 'Workshop', phone_number, description: 'For repairs.' }],
      ...fields,
    }),
    { phoneNumber: CALLER },
  );

const completed = async ({ user, id }: { user: TestAccount; id: number }): Promise<TransferredCall> =>
  (await callWhen(user, id, ({ status }) => status === 'completed')) as unknown as TransferredCall;

describe('a transferred call', () => {
  let receiver: Receiver;
  const calls = new Map<string, { user: TestAccount; id: number }>();

  beforeAll(async () => {
    receiver = await Receiver.open();
    const hook = { is_webhook_active: true, webhook_url: receiver.url };
    for (const [who, number] of Object.entries(PEOPLE)) {
      // An account calls a number once at a time.
      const user = await anAccount();
      const id = await calling(user, number, who === 'answers' ? hook : {});
      calls.set(who, { user, id });
    }
  });

  afterAll(() => receiver.close());

  function of(who: string): { user: TestAccount; id: number } {
    const call = calls.get(who);
    if (!call) throw new Error(`nobody calls the one who ${who}`);
    return call;
  }

  async function journal(who: string) {
    const { rows } = await database().query<{ sid: string }>(
      'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
      [of(who).id],
    );
    const sid = rows[0]?.sid ?? '';
    return { sid, entries: await journalOf(sid) };
  }

  /** What each side heard of the other, as the carrier knows it. */
  async function spoken(who: string): Promise<string[]> {
    const { entries } = await journal(who);
    return entries
      .filter(({ kind, reported, heard }) => kind === 'speech' && (reported ?? heard))
      .map(
        ({ who: side, text, heard = text }) =>
          `${side === 'assistant' ? 'AI' : 'Customer'}: ${String(heard).trim()}`,
      );
  }

  it('stays with the person who answers, until its end', async () => {
    const call = await completed(of('answers'));
    expect(call).toMatchObject({
      ended_by: 'assistant',
      ended_reason: 'transferred',
      transfers: [{ to: PEOPLE.answers, status: 'answered', at: expect.stringMatching(/^\d{4}-.{14}$/) }],
    });
    // What person and customer say to each other is not the assistant's.
    expect(call.transcript.split('\n')).toEqual(await spoken('answers'));
    expect(call.transcript).toMatch(/AI: I will connect you now\. One moment, please\.$/);
    const { entries } = await journal('answers');
    expect(entries.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    const started = entries.find(({ event }) => event === 'action');
    const ended = entries.find(({ event }) => event === 'dial-action');
    const talked = (Date.parse(String(ended?.at)) - Date.parse(String(started?.at))) / 1000;
    expect(call.duration).toBeGreaterThanOrEqual(Math.floor(talked));
    // Of both calls: a minute each.
    expect(call.carrier_cost).toBeCloseTo(2 * 0.014, 5);
  });

  it('is reported in turns, events, webhook, list and metrics', async () => {
    const { user, id } = of('answers');
    await completed({ user, id });
    const { body } = await user.client.get<{ data: { turns: { role: string; tool?: object }[] } }>(
      `/user/calls/${id}/turns`,
    );
    expect(body.data.turns.filter(({ role }) => role === 'tool')).toMatchObject([
      { tool: { name: 'transfer_call', arguments: { to: 'Workshop' }, status: 'ok', error: null } },
    ]);
    const events = await EventStreamClient.open(user.token, `/user/calls/${id}/events`);
    const told = (await events.end()).filter(({ event }) => event === 'transfer');
    expect(told.map(({ data }) => data)).toMatchObject(
      ['dialing', 'answered'].map((status) => ({ name: 'Workshop', to: PEOPLE.answers, status })),
    );
    const [delivery] = await receiver.requests(1);
    const transfers = [{ to: PEOPLE.answers, status: 'answered', at: expect.stringMatching(/T.*Z$/) }];
    expect(delivery?.body).toMatchObject({ ended_reason: 'transferred', transfers });
    expect(delivery?.body.formatted_transcript).toBe(delivery?.body.transcript);
    const list = await user.client.get<{ data: TransferredCall[] }>('/user/calls');
    expect(list.body.data.find((one) => one.id === id)?.transfers).toHaveLength(1);
    const metrics = await (await fetch(`${baseUrl()}/metrics`)).text();
    expect(metrics).toMatch(/^call_transfers_total\{status="answered"\} [1-9]/m);
  });

  it.each([
    ['busy', 'busy', 1],
    ['does not answer', 'no-answer', 1],
    ['cannot be called', 'failed', 0],
    ['is a premium number', 'failed', 0],
  ] as const)('returns to the assistant when the person %s', async (who, status, dials) => {
    const call = await completed(of(who));
    expect(call).toMatchObject({
      ended_by: 'assistant',
      ended_reason: 'goodbye',
      transfers: [{ to: PEOPLE[who], status }],
    });
    const lines = call.transcript.split('\n');
    expect(lines).toEqual(await spoken(who));
    expect(lines).toContain(UNREACHED);
    // The greeting was heard before.
    expect(lines.filter((line) => line.includes('how can I help you?'))).toHaveLength(1);
    const { sid } = await journal(who);
    const dialled = (await journalOf()).filter(({ kind, parent }) => kind === 'dial' && parent === sid);
    expect(dialled).toHaveLength(dials);
    const { rows } = await database().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ledger_entries WHERE kind = 'call' AND reference = $1`,
      [String(call.id)],
    );
    expect(rows[0]?.n).toBe(1);
  });
});
