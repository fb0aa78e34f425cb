import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aNumber } from '../factories/lead.js';
import { Carrier, type NetworkEvent } from '../support/carrier.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const callee = (digits: string): string => `+1500555${digits}`;

const carrier = Carrier.shared();
let user: TestAccount;
let outbound: number;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.open();
  user = await anAccount({ plan: 'unlimited' });
  const webhook = { is_webhook_active: true, webhook_url: receiver.url };
  // With a message, which a machine is to hear: whoever is taken for one loses the call at once.
  outbound = await anAssistant(user, { ...webhook, voice_mail_message: 'Please call us back.' });
  const number = { calls_direction: 'receive', phone_number_id: user.phoneNumber.id };
  await anAssistant(user, { ...webhook, ...number });
});
afterAll(() => receiver.close());

const journalOf = (sid: string): Promise<NetworkEvent[]> => carrier.journal(sid);
const reported = async (sid: string, event: string): Promise<number> =>
  (await journalOf(sid)).filter((entry) => entry.event === event).length;
/** The clocks of the database and of the journal are one, which the journal writes in whole milliseconds. */
const CLOCK_MS = 10;
/** The call had ended when the first report of its end was answered. */
const expectEndedAtOnce = async (id: number, sid: string): Promise<void> => {
  const report = (await journalOf(sid)).find(({ event }) => event === 'status:completed');
  const { rows } = await carrier.db.query<{ endedAt: Date }>(
    'SELECT ended_at AS "endedAt" FROM calls WHERE id = $1',
    [id],
  );
  expect(rows[0]?.endedAt.getTime()).toBeLessThanOrEqual(Date.parse(report?.at ?? '') + CLOCK_MS);
};
const isComplete = ({ status }: { status: string }): boolean => status === 'completed';

/** What must be so of each call that is over, however often its end was reported. */
const onceOf = async (id: number) => {
  const { rows } = await carrier.db.query<{ number: string }>(
    `SELECT client_phone_number AS number, (SELECT count(*)::int FROM ledger_entries WHERE reference = calls.id::text AND kind = 'call') AS charges,
            (SELECT count(*)::int FROM running_calls WHERE account_id = calls.account_id) AS running,
            (SELECT state FROM call_attempts WHERE call_id = calls.id) AS slot
       FROM calls WHERE id = $1`,
    [id],
  );
  const told = () =>
    receiver.received.filter(({ body }) => body['customer_phone'] === rows[0]?.number).length;
  await until(async () => told() > 0);
  const { number: _, ...once } = rows[0] ?? {};
  return { ...once, told: told() };
};
const ONCE = { charges: 1, told: 1, running: 0, slot: 'closed' };

describe('the reports of a call', () => {
  it.each([
    ['come late', '0070', 1],
    ['come twice', '0071', 2],
    ['are only that of its end', '0072', 1],
    ['come after that of its end', '0074', 1],
  ])('end it once where they %s', async (_, digits, ends) => {
    const id = await aCall(user, outbound, { phoneNumber: callee(digits) });
    const { sid } = await carrier.callAtCarrier(id);
    await callWhen(user, id, isComplete);
    await until(async () => (await reported(sid, 'status:completed')) === ends);
    if (digits !== '0072') await until(async () => (await reported(sid, 'status:ringing')) === ends);
    expect(await callWhen(user, id, isComplete)).toMatchObject({ answered_by: 'human' });
    await expectEndedAtOnce(id, sid);
    expect(await onceOf(id)).toEqual(ONCE);
  });

  it('need not report its end', async () => {
    const id = await aCall(user, outbound, { phoneNumber: callee('0073') });
    const { sid } = await carrier.callAtCarrier(id);
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    await carrier.hangUp(id);
    await carrier.db.query('UPDATE calls SET check_at = now() WHERE id = $1', [id]);
    await callWhen(user, id, isComplete);
    expect(await reported(sid, 'status:completed')).toBe(0);
    expect(await onceOf(id)).toEqual(ONCE);
  });
});

describe('the report of an end that arrives before the request for instructions', () => {
  /** By the events of the journal: the end was told first. */
  const expectOvertaken = async (sid: string, request: string): Promise<void> => {
    await until(async () => (await reported(sid, request)) === 1);
    const events = (await journalOf(sid)).map(({ event }) => event);
    expect(events.indexOf('status:completed')).toBeLessThan(events.indexOf(request));
  };

  it('ends a call that the service has made', async () => {
    const id = await aCall(user, outbound, { phoneNumber: callee('0075') });
    const { sid } = await carrier.callAtCarrier(id);
    expect(await callWhen(user, id, isComplete)).toMatchObject({ ended_by: 'customer', transcript: '' });
    await expectOvertaken(sid, 'answer');
    await expectEndedAtOnce(id, sid);
    expect(await onceOf(id)).toEqual(ONCE);
  });

  it('ends an inbound call that is not yet recorded, and leaves one record of it', async () => {
    const from = aNumber();
    await carrier.receives(user.phoneNumber.phone_number, from, '0075');
    const path = `/user/calls?phone_number=${encodeURIComponent(from)}`;
    const [call] = await until(async () => {
      const { data } = (await user.client.get<{ data: { id: number; status: string }[] }>(path)).body;
      return data[0]?.status === 'completed' ? data : null;
    });
    expect(call).toMatchObject({ type: 'inbound', client_phone_number: from, ended_by: 'customer' });
    const { sid } = await carrier.callAtCarrier(call?.id ?? 0);
    await expectOvertaken(sid, 'incoming');
    await expectEndedAtOnce(call?.id ?? 0, sid);
    const { body } = await user.client.get<{ total: number }>(path);
    expect(body.total).toBe(1);
    expect(await onceOf(call?.id ?? 0)).toEqual({ ...ONCE, slot: null });
  });

  it('changes nothing about a call that the service has refused', async () => {
    const form = { CallSid: `CA${'5'.repeat(32)}`, From: aNumber(), To: user.phoneNumber.phone_number };
    await carrier.says('status', { ...form, CallStatus: 'busy' });
    const path = `/user/calls?phone_number=${encodeURIComponent(form.From)}`;
    expect((await user.client.get<{ total: number }>(path)).body.total).toBe(0);
  });
});

describe('a report that a machine has answered', () => {
  it.each([
    ['late', '0076', ['amd:machine_start']],
    ['and one that a person has', '0077', ['amd:human', 'amd:machine_end_beep', 'amd:human']],
  ])('ends no conversation in which both sides have spoken (%s)', async (_, digits, told) => {
    const id = await aCall(user, outbound, { phoneNumber: callee(digits) });
    const { sid } = await carrier.callAtCarrier(id);
    const call = await callWhen(user, id, isComplete);
    expect(call).toMatchObject({ answered_by: 'human' });
    expect(call).not.toMatchObject({ ended_reason: 'voicemail' });
    const events = () => journalOf(sid).then((all) => all.filter(({ event }) => event?.startsWith('amd:')));
    await until(async () => (await events()).length === told.length);
    // A report overtakes another where the service is slow to answer.
    expect((await events()).map(({ event }) => event).toSorted()).toEqual(told.toSorted());
    expect(await onceOf(id)).toEqual(ONCE);
  });
});

describe('a report that a machine has answered, of a call that is over', () => {
  const machine = (sid: string) => ({ CallSid: sid, AnsweredBy: 'machine_start' });
  const turnsOf = async (id: number): Promise<{ role: string }[]> => {
    const { body } = await user.client.get<{ data: { turns: { role: string }[] } }>(
      `/user/calls/${id}/turns`,
    );
    return body.data.turns;
  };

  it('changes nothing, whether both sides have spoken or not', async () => {
    const id = await aCall(user, outbound);
    const { sid, token } = await carrier.callAtCarrier(id);
    expect(await callWhen(user, id, isComplete)).toMatchObject({ answered_by: 'human' });
    expect(await onceOf(id)).toEqual(ONCE);
    for (const [path, form] of [
      [`amd/${token}`, machine(sid)],
      [`amd/${token}`, { ...machine(sid), AnsweredBy: 'fax' }],
      [`status/${token}`, { ...machine(sid), CallStatus: 'completed' }],
      [`status/${token}`, { ...machine(sid), CallStatus: 'in-progress' }],
    ] as const)
      await carrier.says(path, form);
    const call = await callWhen(user, id, isComplete);
    expect(call).toMatchObject({ answered_by: 'human', ended_by: 'customer' });
    expect(await onceOf(id)).toEqual(ONCE);
  });

  it('marks no person as a machine who has spoken with the assistant, also where the end is reported with it', async () => {
    const id = await aCall(user, outbound, { phoneNumber: callee('0073') });
    const { sid, token } = await carrier.callAtCarrier(id);
    await until(async () => (await turnsOf(id)).filter(({ role }) => role === 'customer').length >= 2);
    await carrier.hangUp(id);
    await carrier.says(`status/${token}`, { ...machine(sid), CallStatus: 'completed', CallDuration: '5' });
    expect(await callWhen(user, id, isComplete)).toMatchObject({ answered_by: 'human' });
  });

  it('counts where no person has spoken with the assistant, and the end is reported with it', async () => {
    const id = await aCall(user, outbound, { phoneNumber: '+15005550052' });
    const { sid, token } = await carrier.callAtCarrier(id);
    await carrier.says(`status/${token}`, { ...machine(sid), CallStatus: 'completed', CallDuration: '5' });
    expect(await callWhen(user, id, isComplete)).toMatchObject({ answered_by: 'machine' });
  });
});
