import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';

const SILENT = '+15005550022';
const RINGS_OUT = '+15005550004';
const ABSURD = '100000000';

const carrier = Carrier.shared();

interface Caller {
  document: string;
  client_phone_number: string;
  variables: Record<string, unknown>;
  leadId: number | null;
}

describe('the caller of an inbound call', () => {
  let user: TestAccount;
  let assistant: number;
  let campaign: number;

  const incoming = (from: string): Promise<string> => carrier.incoming(user.phoneNumber.phone_number, from);
  const count = async (): Promise<number> =>
    (await user.client.get<{ total: number }>('/user/calls')).body.total;
  const callFrom = async (from: string): Promise<Caller> => {
    const document = await incoming(from);
    const { body } = await user.client.get<{ data: (Caller & { id: number })[] }>('/user/calls?per_page=1');
    const [call] = body.data;
    if (!call) throw new Error('no call was recorded');
    const { rows } = await carrier.db.query<{ leadId: number | null }>(
      'SELECT lead_id AS "leadId" FROM calls WHERE id = $1',
      [call.id],
    );
    return { ...call, document, leadId: rows[0]?.leadId ?? null };
  };

  // Each caller stays on the line: the plan must have lines for all.
  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
    assistant = await anAssistant(user, {
      calls_direction: 'receive',
      phone_number_id: user.phoneNumber.id,
      initial_message: 'Hello {name}.',
      variables: { name: 'stranger', shop: 'Bicycles' },
    });
    campaign = await aCampaign(user);
  });

  it.each(['', 'Anonymous', 'anonymous', '+266696687'])('may withhold the number: %j', async (from) => {
    const caller = await callFrom(from);
    expect(caller.document).toContain('welcomeGreeting="Hello stranger."');
    expect(caller).toMatchObject({ client_phone_number: 'anonymous', leadId: null });
  });

  it('is the one lead with the number', async () => {
    const lead = await aLead(user, campaign, { variables: { name: 'Ada' } });
    const caller = await callFrom(lead.phone_number);
    expect(caller.document).toContain('welcomeGreeting="Hello Ada."');
    expect(caller).toMatchObject({ variables: { name: 'Ada', shop: 'Bicycles' }, leadId: lead.id });
    expect(caller).not.toHaveProperty('campaign_name');
  });

  it('is attested by the carrier only', async () => {
    const lead = await aLead(user, campaign, { variables: { name: 'Ada', caller_attestation: 'A' } });
    const { variables } = await callFrom(lead.phone_number);
    expect(variables).toEqual({ name: 'Ada', shop: 'Bicycles' });
  });

  it('is the lead whose contact has the number', async () => {
    const contact = { phone_number: aNumber(), variables: { name: 'Tom' } };
    const lead = await aLead(user, campaign, {
      variables: { name: 'Ada', order: 4711 },
      secondary_contacts: [contact],
    });
    expect(await callFrom(contact.phone_number)).toMatchObject({
      variables: { name: 'Tom', order: 4711, shop: 'Bicycles' },
      leadId: lead.id,
    });
  });

  it('is no lead where several have the number, until one remains', async () => {
    const lead = await aLead(user, campaign, { variables: { name: 'Ada' } });
    const other = await aCampaign(user);
    await aLead(user, other, { phone_number: lead.phone_number, variables: { name: 'Tom' } });
    expect(await callFrom(lead.phone_number)).toMatchObject({
      variables: { name: 'stranger' },
      leadId: null,
    });
    await user.client.delete(`/user/campaigns/${other}`);
    expect(await callFrom(lead.phone_number)).toMatchObject({ variables: { name: 'Ada' }, leadId: lead.id });
  });

  it("is no other account's lead", async () => {
    const stranger = await anAccount();
    const lead = await aLead(stranger, await aCampaign(stranger), { variables: { name: 'Ada' } });
    expect(await callFrom(lead.phone_number)).toMatchObject({
      variables: { name: 'stranger' },
      leadId: null,
    });
  });

  it('is refused without a record at a number that no active assistant answers', async () => {
    const before = await count();
    await user.client.put(`/user/assistant/${assistant}`, { status: 'inactive' });
    expect(await incoming(aNumber())).toContain('<Reject/>');
    expect(await carrier.incoming('+14155559999', aNumber())).toContain('<Reject/>');
    expect(await count()).toBe(before);
  });
});

describe('inbound calls count towards the limit of parallel calls', () => {
  let user: TestAccount;
  let outbound: number;

  const incoming = async (sid = `CA${randomBytes(16).toString('hex')}`) => {
    const from = aNumber();
    const document = await carrier.incoming(user.phoneNumber.phone_number, from, sid);
    const { body } = await user.client.get<{ data: { id: number }[] }>(
      `/user/calls?phone_number=${encodeURIComponent(from)}`,
    );
    return { sid, document, id: body.data[0]?.id ?? 0, from };
  };
  /** Calls without their records. @returns the answer documents */
  const atOnce = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, () => carrier.incoming(user.phoneNumber.phone_number, aNumber())),
    );
  const makeCall = async () => {
    const { status, body } = await user.client.post<{ message: string }>('/user/make_call', {
      assistant_id: outbound,
      phone_number: SILENT,
    });
    return [status, body.message];
  };

  beforeAll(async () => {
    // Two calls at a time, free of charge.
    user = await anAccount({ plan: 'free' });
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: user.phoneNumber.id });
    outbound = await anAssistant(user, { max_silence_duration: 120 });
  });

  it('together with outbound ones; above the limit the caller gets a busy tone', async () => {
    const first = await incoming();
    expect(first.document).toContain('<ConversationRelay');
    const second = await aCall(user, outbound, { phoneNumber: SILENT });
    await callWhen(user, second, ({ status }) => status === 'in-progress');

    const third = await incoming();
    expect(third.document).toContain('<Response><Reject reason="busy"/></Response>');
    expect(await callWhen(user, third.id, () => true)).toMatchObject({
      type: 'inbound',
      status: 'busy',
      ended_reason: 'plan_limit',
      duration: 0,
      total_cost: 0,
    });
    // The carrier asks again when our answer was lost on its way.
    expect(await carrier.incoming(user.phoneNumber.phone_number, third.from, third.sid)).toContain(
      '<Reject reason="busy"/>',
    );
    expect((await makeCall())[0]).toBe(422);

    await carrier.says('status', { CallSid: first.sid, CallStatus: 'completed', CallDuration: '1' });
    const fourth = await incoming();
    expect(fourth.document).toContain('<ConversationRelay');
    expect((await incoming()).document).toContain('<Reject reason="busy"/>');
    await carrier.says('status', { CallSid: fourth.sid, CallStatus: 'failed' });
    await carrier.hangUp(second);
    expect((await incoming()).document).toContain('<ConversationRelay');
  });

  it('also when they arrive at the same time', async () => {
    user = await anAccount({ plan: 'free' });
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: user.phoneNumber.id });
    const documents = await atOnce(12);
    expect(documents.filter((document) => document.includes('<ConversationRelay'))).toHaveLength(2);
  });

  it('with thirty at once on a plan of ten', async () => {
    user = await anAccount({ plan: 'standard' });
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: user.phoneNumber.id });
    const documents = await atOnce(30);
    const count = (part: string) => documents.filter((document) => document.includes(part)).length;
    expect([count('<ConversationRelay'), count('<Reject reason="busy"/>')]).toEqual([10, 20]);
    const refused = await user.client.get<{ data: object[]; total: number }>('/user/calls?status=busy');
    expect(refused.body.total).toBe(20);
    for (const call of refused.body.data) expect(call).toMatchObject({ ended_reason: 'plan_limit' });
  });

  it('once when the carrier reports a call twice at the same time', async () => {
    user = await anAccount({ plan: 'free' });
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: user.phoneNumber.id });
    const sid = `CA${randomBytes(16).toString('hex')}`;
    const documents = await Promise.all([incoming(sid), incoming(sid), incoming(sid)]);
    for (const { document } of documents) expect(document).toContain('<ConversationRelay');
    const { body } = await user.client.get<{ total: number }>('/user/calls');
    expect(body.total).toBe(1);
  });
});

/** Somebody who knows the carrier's secret, or the carrier itself, tells nonsense. */
describe('values reported by the carrier', () => {
  let user: TestAccount;
  let assistantId: number;

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
    assistantId = await anAssistant(user);
  });

  const report = async (id: number, form: Record<string, string>): Promise<void> => {
    const { token, sid } = await carrier.callAtCarrier(id);
    await carrier.says(`status/${token}`, { CallSid: sid, ...form });
  };

  const figures = async (id: number): Promise<{ duration: number; total_cost: number }> =>
    (await user.client.get<{ duration: number; total_cost: number }>(`/user/calls/${id}`)).body;

  it.concurrent('a duration is limited to the time since the answer', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: aSilentNumber(3) });
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    await report(id, { CallStatus: 'completed', CallDuration: ABSURD });
    await callWhen(user, id, ({ status }) => status === 'completed');
    const { duration, total_cost } = await figures(id);
    expect(duration).toBeLessThan(60);
    expect(total_cost).toBeLessThan(1);
  });

  it.each([
    [['completed'], 'completed'],
    [['ringing', 'completed'], 'completed'],
    [['completed', 'in-progress', 'ringing', 'busy', 'completed'], 'completed'],
    [['busy', 'ringing', 'completed'], 'busy'],
    [['failed', 'failed', 'in-progress'], 'failed'],
    [['no-answer', 'completed'], 'no-answer'],
  ])('reported as %j is %s at once, whatever follows', async (statuses, expected) => {
    const id = await aCall(user, assistantId, { phoneNumber: RINGS_OUT });
    for (const CallStatus of statuses) await report(id, { CallStatus, CallDuration: '1' });
    const { rows } = await carrier.db.query<{ isOver: boolean }>(
      'SELECT ended_at IS NOT NULL AS "isOver" FROM calls WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ isOver: true }]);
    expect(await callWhen(user, id, ({ status }) => status === expected)).toMatchObject(
      expected === 'completed'
        ? { ended_by: 'customer', ended_reason: 'customer_hangup', duration: expect.any(Number) }
        : { duration: 0, total_cost: 0 },
    );
  });

  it('a duration without an answer is 0', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: RINGS_OUT });
    await report(id, { CallStatus: 'busy', CallDuration: ABSURD });
    expect(await callWhen(user, id, ({ status }) => status === 'busy')).toMatchObject({
      duration: 0,
      total_cost: 0,
    });
  });

  it.concurrent('without a duration in the report the call lasts from its answer', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: aSilentNumber(4) });
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    const { token, sid } = await carrier.callAtCarrier(id);
    await carrier.says(`action/${token}`, { CallSid: sid, CallStatus: 'completed' });
    await callWhen(user, id, ({ status }) => status === 'completed');
    expect((await figures(id)).duration).toBeGreaterThan(0);
  });

  it.concurrent('a recording address that is a script, data or too long is not stored', async () => {
    const addresses = [
      'javascript:alert(1)',
      'data:text/html,hello',
      `https://example.com/${'a'.repeat(4000)}`,
    ];
    const calls = addresses.map(async (address, index) => {
      const id = await aCall(user, assistantId, { phoneNumber: aSilentNumber(index) });
      const { token, sid } = await carrier.callAtCarrier(id);
      await carrier.says(`recording/${token}`, {
        CallSid: sid,
        RecordingStatus: 'completed',
        RecordingUrl: address,
      });
      await report(id, { CallStatus: 'completed', CallDuration: '1' });
      return callWhen(user, id, ({ status }) => ['completed', 'no-answer'].includes(status));
    });
    for (const call of await Promise.all(calls)) expect(call).not.toHaveProperty('recording_url');
  });
});
