import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { callFromOutside } from '../support/sandbox.js';
import { runCommand } from '../support/command.js';
import { DELIVERED } from '../support/sms.js';
import { until } from '../support/until.js';

const PREMIUM = '+19005551234';
const SATELLITE = '+881612345678';
const GERMAN = '+4930901820';
const REFUSED = { message: 'Calls to this destination are not allowed.' };
const SMS_REFUSED = { message: 'Messages to this destination are not allowed.' };

interface Call {
  client_phone_number: string;
  type: string;
}

describe('destinations', () => {
  let user: TestAccount;
  let assistantId: number;

  const call = async (phone_number: string, by = user, assistant_id = assistantId) => {
    const { status, body } = await by.client.post('/user/make_call', { assistant_id, phone_number });
    return [status, body];
  };
  const write = async (to: string, by = user) => {
    const { status, body } = await by.client.post('/user/sms', {
      from: by.phoneNumber.id,
      to,
      body: 'Hello',
    });
    return [status, body];
  };
  const calls = async (by: TestAccount, query: string): Promise<Call[]> =>
    (await by.client.get<{ data: Call[] }>(`/user/calls?${query}`)).body.data;
  /** Dials the campaign's only lead and tells what became of it. */
  const outcome = async (by: TestAccount, campaignId: number): Promise<string> => {
    await by.client.post('/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' });
    return until(async () => {
      const { body } = await by.client.get<TestLead[]>(`/user/leads?campaign_id=${campaignId}`);
      const status = body[0]?.status ?? '';
      return ['created', 'processing'].includes(status) ? null : status;
    });
  };

  beforeAll(async () => {
    user = await anAccount();
    assistantId = await anAssistant(user);
  });

  it('with a premium price are refused for calls and messages', async () => {
    for (const number of [PREMIUM, SATELLITE, '+12129765555', '+447012345678']) {
      expect(await call(number)).toEqual([422, REFUSED]);
      expect(await write(number)).toEqual([400, SMS_REFUSED]);
    }
    expect(await calls(user, '')).toEqual([]);
    const { body } = await user.client.get<{ total_balance: number }>('/user/me');
    expect(body.total_balance).toBe(100);
  });

  it('are checked before a lead is dialled; its contacts are called', async () => {
    const campaign = await aCampaign(user, { assistant_id: assistantId });
    const lead = await aLead(user, campaign, {
      phone_number: PREMIUM,
      secondary_contacts: [{ phone_number: SATELLITE }, { phone_number: BUSY }],
    });
    expect(lead.status).toBe('created');
    expect(await outcome(user, campaign)).toBe('rescheduled');
    expect((await calls(user, `campaign_id=${campaign}`)).map((made) => made.client_phone_number)).toEqual([
      BUSY,
    ]);
  });

  it('leave a lead without any other number blacklisted', async () => {
    const campaign = await aCampaign(user, { assistant_id: assistantId });
    await aLead(user, campaign, { phone_number: PREMIUM, secondary_contacts: [{ phone_number: SATELLITE }] });
    expect(await outcome(user, campaign)).toBe('blacklisted');
    expect(await calls(user, `campaign_id=${campaign}`)).toEqual([]);
  });

  it('are limited to the countries that the operator set', async () => {
    const limited = await anAccount();
    const assistant = await anAssistant(limited);
    const set = (countries: string) =>
      runCommand(['accounts', 'set-countries', '--email', limited.email, '--countries', countries, '--json']);
    expect(JSON.parse((await set('fr,gb')).output)).toEqual({
      email: limited.email,
      allowed_countries: ['FR', 'GB'],
    });

    expect(await call(GERMAN, limited, assistant)).toEqual([422, REFUSED]);
    expect(await write(GERMAN, limited)).toEqual([400, SMS_REFUSED]);
    expect(await call(BUSY, limited, assistant)).toMatchObject([200, { status: 'initiated' }]);
    expect(await write(DELIVERED, limited)).toMatchObject([200, { message: 'SMS sent successfully' }]);
    const campaign = await aCampaign(limited, { assistant_id: assistant });
    await aLead(limited, campaign, { phone_number: GERMAN });
    expect(await outcome(limited, campaign)).toBe('blacklisted');

    expect(await set('XX')).toMatchObject({ code: 1, problem: expect.stringContaining('XX is no country') });
    expect(await set('all')).toMatchObject({ code: 0, problem: '' });
    expect(await call(GERMAN, limited, assistant)).toMatchObject([200, { status: 'initiated' }]);
  });

  it('do not limit inbound calls', async () => {
    const called = await anAccount();
    await anAssistant(called, { calls_direction: 'receive', phone_number_id: called.phoneNumber.id });
    await callFromOutside(called.phoneNumber.phone_number, SATELLITE, '0023');
    const [taken] = await until(async () => {
      const found = await calls(called, 'status=completed');
      return found.length > 0 ? found : null;
    });
    expect(taken).toMatchObject({ type: 'inbound', client_phone_number: SATELLITE });
  });
});
