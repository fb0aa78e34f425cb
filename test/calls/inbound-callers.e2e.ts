import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';

jest.setTimeout(60_000);

interface Caller {
  document: string;
  client_phone_number: string;
  variables: Record<string, unknown>;
  leadId: number | null;
}

describe('the caller of an inbound call', () => {
  let bench: CarrierBench;
  let user: TestAccount;
  let assistant: number;
  let campaign: number;

  const incoming = (from: string): Promise<string> => bench.incoming(user.phoneNumber.phone_number, from);
  const count = async (): Promise<number> =>
    (await user.client.get<{ total: number }>('/user/calls')).body.total;
  const callFrom = async (from: string): Promise<Caller> => {
    const document = await incoming(from);
    const { body } = await user.client.get<{ data: (Caller & { id: number })[] }>('/user/calls?per_page=1');
    const [call] = body.data;
    if (!call) throw new Error('no call was recorded');
    const { rows } = await bench.db.query<{ leadId: number | null }>(
      'SELECT lead_id AS "leadId" FROM calls WHERE id = $1',
      [call.id],
    );
    return { ...call, document, leadId: rows[0]?.leadId ?? null };
  };

  beforeAll(async () => {
    bench = await CarrierBench.start();
  });
  afterAll(() => bench.stop());
  beforeEach(async () => {
    user = await anAccount({ service: bench });
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
    const stranger = await anAccount({ service: bench });
    const lead = await aLead(stranger, await aCampaign(stranger), { variables: { name: 'Ada' } });
    expect(await callFrom(lead.phone_number)).toMatchObject({
      variables: { name: 'stranger' },
      leadId: null,
    });
  });

  it('is turned away without a record by a number that no active assistant answers', async () => {
    await user.client.put(`/user/assistant/${assistant}`, { status: 'inactive' });
    expect(await incoming(aNumber())).toContain('<Reject/>');
    expect(await bench.incoming('+14155559999', aNumber())).toContain('<Reject/>');
    expect(await count()).toBe(0);
  });
});
