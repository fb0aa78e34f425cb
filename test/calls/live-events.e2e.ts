import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen } from '../factories/call.js';
import { baseUrl } from '../support/client.js';
import { database } from '../support/database.js';
import { EventStreamClient, type ServerEvent } from '../support/event-stream.js';
import { until } from '../support/until.js';

const GREETS = '+15005550020';
const open: EventStreamClient[] = [];

async function watch(
  { token }: TestAccount,
  path = '/user/calls/events',
  lastEventId?: string,
): Promise<EventStreamClient> {
  const client = await EventStreamClient.open(token, path, { lastEventId });
  open.push(client);
  return client;
}

const kinds = (events: ServerEvent[]) => events.map(({ event }) => event);
const ids = (events: ServerEvent[]) => events.map(({ id }) => Number(id));
const ofCall = (events: ServerEvent[], id: number) => events.filter(({ data }) => data.call_id === id);
const hasEnded =
  (...calls: number[]) =>
  (events: ServerEvent[]) =>
    calls.every((id) => ofCall(events, id).some(({ event }) => event === 'ended'));

afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

describe('events of calls', () => {
  let user: TestAccount;
  let other: TestAccount;
  let assistant: number;
  let call: number;
  let busy: number;
  let live: ServerEvent[];
  let foreign: EventStreamClient;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
    assistant = await anAssistant(user, { initial_message: 'Hello, this is Ada.' });
    const stream = await EventStreamClient.open(user.token, '/user/calls/events');
    foreign = await EventStreamClient.open(other.token, '/user/calls/events');
    call = await aCall(user, assistant, { phoneNumber: GREETS });
    busy = await aCall(user, assistant, { phoneNumber: BUSY });
    live = await stream.when(hasEnded(call, busy));
    stream.close();
  });

  it('report status, turns and end of each call while it takes place', async () => {
    const told = ofCall(live, call);
    expect(told[0]).toMatchObject({
      event: 'status',
      data: { call_id: call, type: 'outbound', status: 'initiated', ended_by: null },
    });
    const statuses = told.filter(({ event }) => event === 'status').map(({ data }) => data.status);
    expect(statuses).toContain('in-progress');
    expect(statuses.at(-1)).toBe('completed');
    expect(told.at(-1)?.event).toBe('ended');
    const turns = told.filter(({ event }) => event === 'turn').map(({ data }) => data);
    expect(turns[0]).toMatchObject({ role: 'assistant', interrupted: false });
    expect(turns[0]?.text).toContain('this is Ada');
    expect(turns.some(({ role }) => role === 'customer')).toBe(true);

    const { total_cost } = (await callWhen(user, call, () => true)) as unknown as { total_cost: number };
    expect(told.at(-1)?.data).toMatchObject({ call_id: call, status: 'completed', total_cost });
    expect(total_cost).toBeGreaterThan(0);
    expect(kinds(ofCall(live, busy)).slice(-2)).toEqual(['status', 'ended']);
    expect(ofCall(live, busy).at(-1)?.data).toMatchObject({ status: 'busy', duration: 0, total_cost: 0 });
  });

  it('have ids that grow', () => {
    expect(ids(live)).toEqual([...new Set(ids(live))].sort((a, b) => a - b));
  });

  it('are not shown to another account', async () => {
    expect(foreign.response.status).toBe(200);
    expect(foreign.response.headers.get('content-type')).toBe('text/event-stream');
    const own = await aCall(other, await anAssistant(other, {}), { phoneNumber: BUSY });
    const events = await foreign.when(hasEnded(own));
    expect(new Set(events.map(({ data }) => data.call_id))).toEqual(new Set([own]));
    foreign.close();
    for (const path of ['events', 'turns']) {
      const { status, text } = await other.client.get(`/user/calls/${call}/${path}`);
      expect([status, text]).toEqual([404, '{"message":"Call not found"}']);
    }
  });

  it('are sent again in the same order after the last id, without the last one', async () => {
    for (const at of [0, Math.floor(live.length / 2), live.length - 2]) {
      const stream = await watch(user, '/user/calls/events', live[at]?.id);
      await stream.when((events) => events.length >= live.length - at - 1);
      expect(stream.events).toEqual(live.slice(at + 1));
      stream.close();
    }
  });

  it.each([
    ['no id', undefined],
    ['a word', 'abc'],
    ['a number that no event has', '900000000000000'],
    ['a number that is too large', '9'.repeat(40)],
    ['zero', '0'],
  ])('begin with the first one for %s', async (_, lastEventId) => {
    const stream = await watch(user, '/user/calls/events', lastEventId);
    await stream.when((events) => events.length >= live.length);
    expect(stream.events).toEqual(live);
  });

  it('begin now on request, and after the reported position when the stream is reopened', async () => {
    const account = await anAccount();
    const path = '/user/calls/events?from=now';
    const theirs = await anAssistant(account, {});
    const none = await watch(account, path);
    const [nothing] = await none.when((events) => events.length > 0);
    expect(nothing).toMatchObject({ id: '0', event: 'position', data: {} });
    none.close();
    const before = await aCall(account, theirs, { phoneNumber: BUSY });
    const all = await (await watch(account, path, nothing?.id)).when(hasEnded(before));
    expect(ofCall(all, before)[0]).toMatchObject({ event: 'status', data: { status: 'initiated' } });

    const stream = await watch(account, path);
    const [position] = await stream.when((events) => events.length > 0);
    expect(position).toEqual({ id: all.at(-1)?.id, event: 'position', data: {} });
    stream.close();
    const next = await aCall(account, theirs, { phoneNumber: BUSY });
    const resumed = await watch(account, path, position?.id);
    const events = await resumed.when(hasEnded(next));
    expect(new Set(events.map(({ data }) => data.call_id))).toEqual(new Set([next]));
    expect(events[0]).toMatchObject({ event: 'status', data: { status: 'initiated' } });
  });

  it("begin with the first one for an id of another account's event", async () => {
    const theirs = await anAssistant(other, {});
    const id = await aCall(other, theirs, { phoneNumber: BUSY });
    const stream = await watch(other);
    const foreignId = (await stream.when(hasEnded(id)))[0]?.id;
    const own = await watch(user, '/user/calls/events', foreignId);
    await own.when((events) => events.length >= live.length);
    expect(own.events).toEqual(live);
  });

  it('of one call are its own, and their stream ends', async () => {
    const path = `/user/calls/${call}/events`;
    const whole = await watch(user, path);
    expect(await whole.end()).toEqual(ofCall(live, call));
    const rest = await watch(user, path, ofCall(live, call)[1]?.id);
    expect(await rest.end()).toEqual(ofCall(live, call).slice(2));
    const nothing = await watch(user, path, ofCall(live, call).at(-1)?.id);
    expect(await nothing.end()).toEqual([]);
  });

  it('of a call that runs are sent until it ends', async () => {
    const id = await aCall(user, assistant, { phoneNumber: GREETS });
    const stream = await watch(user, `/user/calls/${id}/events`);
    const events = await stream.end();
    expect(kinds(events)).toContain('turn');
    expect(kinds(events).indexOf('ended')).toBe(events.length - 1);
    expect(new Set(events.map(({ data }) => data.call_id))).toEqual(new Set([id]));
  });

  it('are not shown after the call is deleted', async () => {
    const id = await aCall(user, assistant, { phoneNumber: BUSY });
    const stream = await watch(user);
    await stream.when(hasEnded(id));
    await user.client.delete(`/user/calls/${id}`);
    const again = await watch(user);
    await again.when((events) => events.length >= live.length);
    expect(ofCall(again.events, id)).toEqual([]);
    expect((await user.client.get(`/user/calls/${id}/events`)).status).toBe(404);
  });
});

describe('streams of events', () => {
  it('are refused over 50 of an account, without an effect on other requests and accounts', async () => {
    const [user, other] = await Promise.all([anAccount(), anAccount()]);
    for (let n = 0; n < 50; n += 1) expect((await watch(user)).response.status).toBe(200);
    const refused = await watch(user);
    expect([refused.response.status, await refused.response.json()]).toEqual([
      429,
      { message: 'Too many requests. Please try again later.', retry_after: 10 },
    ]);
    expect(refused.response.headers.get('retry-after')).toBe('10');
    expect((await user.client.get('/user/me')).status).toBe(200);
    expect((await watch(other)).response.status).toBe(200);
    open.splice(0, 1)[0]?.close();
    await until(async () => (await watch(user)).response.ok);
  });

  it('end when their token is revoked', async () => {
    const user = await anAccount();
    const stream = await watch(user);
    await database().query('UPDATE access_tokens SET revoked_at = now() WHERE account_id = $1', [user.id]);
    expect(await stream.end()).toEqual([]);
    expect((await watch(user)).response.status).toBe(401);
  });

  it('are not kept open by a request without a body in its response', async () => {
    const user = await anAccount();
    for (let n = 0; n < 60; n += 1) {
      const { status, headers } = await fetch(`${baseUrl()}/api/user/calls/events`, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${user.token}` },
      });
      expect([n, status, headers.get('content-type')]).toEqual([n, 200, 'text/event-stream']);
    }
  });
});
