import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';

const UPDATED = [200, { message: 'Lead updated successfully' }];
const invalid = (errors: Record<string, string[]>) => [
  422,
  { message: 'The given data was invalid.', errors },
];
const REPEATED = 'The phone number field must differ from the main lead and from the other contacts.';

describe('updating a lead', () => {
  let one: TestAccount;
  let other: TestAccount;
  let campaign: number;

  const update = async (
    id: number | undefined,
    fields: Record<string, unknown>,
  ): Promise<[number, unknown]> => {
    const answer = await one.client.put(`/user/leads/${id}`, fields);
    return [answer.status, answer.body];
  };
  const get = async (id: number | undefined): Promise<TestLead> =>
    (await one.client.get<{ data: TestLead }>(`/user/leads/${id}`)).body.data;
  const behind = async (id: number): Promise<{ attempts: number; due: boolean }[]> => {
    const sql =
      'SELECT attempts, due_at <= now() AS due FROM leads WHERE $1 IN (id, main_lead_id) ORDER BY id';
    return (await database().query<{ attempts: number; due: boolean }>(sql, [id])).rows;
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    campaign = await aCampaign(one);
  });

  it('merges variables and keeps every field that is not given', async () => {
    const lead = await aLead(one, campaign, {
      variables: { name: 'Ada', address: { city: 'London', zip: 1 } },
      secondary_contacts: [{ phone_number: aNumber() }],
    });
    expect(await update(lead.id, { variables: { address: { city: 'Paris' }, age: 36 } })).toEqual(UPDATED);
    const updated = await get(lead.id);
    const variables = { name: 'Ada', address: { city: 'Paris' }, age: 36 };
    expect(updated).toEqual({ ...lead, variables, updated_at: updated.updated_at });
  });

  it('keeps the variables of concurrent updates', async () => {
    const { id } = await aLead(one, campaign);
    const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`);
    await Promise.all(keys.map((key) => update(id, { variables: { [key]: key } })));
    expect((await get(id)).variables).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  });

  it('does not let merged variables grow past their limit', async () => {
    const { id } = await aLead(one, campaign, { variables: { first: 'a'.repeat(40_000) } });
    expect(await update(id, { variables: { second: 'b'.repeat(40_000) } })).toEqual(
      invalid({ variables: ['The variables field must not be larger than 64 kilobytes.'] }),
    );
    expect(Object.keys((await get(id)).variables)).toEqual(['first']);
  });

  it('ignores unknown fields and an empty body', async () => {
    const lead = await aLead(one, campaign);
    const fields = { id: 1, created_at: '2020-01-01 00:00:00', secondary_contacts: [], is_duplicate: true };
    expect(await update(lead.id, fields)).toEqual(UPDATED);
    expect(await update(lead.id, {})).toEqual(UPDATED);
    const updated = await get(lead.id);
    expect(updated).toEqual({ ...lead, updated_at: updated.updated_at });
  });

  it('a new number has no attempts, a number written otherwise keeps them', async () => {
    const { id, phone_number } = await aLead(one, campaign);
    await database().query('UPDATE leads SET attempts = 2 WHERE id = $1', [id]);
    const spaced = `${phone_number.slice(0, 2)} ${phone_number.slice(2)}`;
    expect(await update(id, { phone_number: spaced })).toEqual(UPDATED);
    expect(await behind(id)).toEqual([{ attempts: 2, due: true }]);
    expect(await update(id, { phone_number: aNumber() })).toEqual(UPDATED);
    expect(await behind(id)).toEqual([{ attempts: 0, due: true }]);
  });

  it('a new number has no known outcome', async () => {
    const { id } = await aLead(one, campaign);
    await database().query(
      `UPDATE leads SET number_invalid = true, last_outcome = 'invalid_number' WHERE id = $1`,
      [id],
    );
    expect(await update(id, { phone_number: aNumber() })).toEqual(UPDATED);
    expect((await get(id)).last_outcome).toBeNull();
    const { rows } = await database().query('SELECT number_invalid FROM leads WHERE id = $1', [id]);
    expect(rows).toEqual([{ number_invalid: false }]);
  });

  describe('status', () => {
    it('created: queues the lead again with zero attempts', async () => {
      const { id } = await aLead(one, campaign, { secondary_contacts: [{ phone_number: aNumber() }] });
      await database().query(
        `UPDATE leads SET attempts = 3, due_at = now() + interval '1 day', status = 'reached-max-retries' WHERE $1 IN (id, main_lead_id)`,
        [id],
      );
      expect(await update(id, { status: 'created' })).toEqual(UPDATED);
      expect((await get(id)).status).toBe('created');
      expect(await behind(id)).toEqual([
        { attempts: 0, due: true },
        { attempts: 0, due: false },
      ]);
    });

    it.each(['completed', 'reached-max-retries'])('%s: removes the lead from the queue', async (status) => {
      const { id } = await aLead(one, campaign);
      expect(await update(id, { status })).toEqual(UPDATED);
      expect((await get(id)).status).toBe(status);
    });

    it.each(['processing', 'scheduled', 'rescheduled', 'blacklisted', 'done', ' '])(
      '%s: cannot be set by a client',
      async (status) => {
        const { id } = await aLead(one, campaign);
        expect(await update(id, { status })).toEqual(
          invalid({ status: ['The selected status is invalid.'] }),
        );
      },
    );
  });

  describe('phone number', () => {
    it('is formatted and validated', async () => {
      const { id } = await aLead(one, campaign);
      expect(await update(id, { phone_number: '(415) 555-0142' })).toEqual(UPDATED);
      expect((await get(id)).phone_number).toBe('+14155550142');
      expect(await update(id, { phone_number: '12' })).toEqual(
        invalid({ phone_number: ['The phone number field must be a valid phone number.'] }),
      );
      expect(await update(id, { phone_number: null })).toEqual(
        invalid({ phone_number: ['The phone number field must be a string.'] }),
      );
    });

    it('must be new in the campaign, except its own', async () => {
      const [first, second] = await Promise.all([aLead(one, campaign), aLead(one, campaign)]);
      expect(await update(second.id, { phone_number: first.phone_number })).toEqual(
        invalid({ phone_number: ['The phone number already exists in this campaign.'] }),
      );
      expect(await update(second.id, { phone_number: second.phone_number, campaign_id: campaign })).toEqual(
        UPDATED,
      );
    });

    it('is assigned to exactly one of concurrent requests', async () => {
      const leads = await Promise.all(Array.from({ length: 8 }, () => aLead(one, campaign)));
      const phone_number = aNumber();
      const answers = await Promise.all(leads.map(({ id }) => update(id, { phone_number })));
      expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array<number>(7).fill(422)]);
    });

    it('of a duplicate may be unchanged; the lead remains a duplicate', async () => {
      const { phone_number } = await aLead(one, campaign);
      const copy = await aLead(one, campaign, { phone_number, allow_dupplicate: true });
      expect(await update(copy.id, { phone_number, variables: { a: 1 } })).toEqual(UPDATED);
    });

    it('must differ within a lead and its contacts', async () => {
      const secondary_contacts = [{ phone_number: aNumber() }, { phone_number: aNumber() }];
      const lead = await aLead(one, campaign, { secondary_contacts });
      const [first, second] = lead.secondary_contacts;
      const repeated = invalid({ phone_number: [REPEATED] });
      expect(await update(lead.id, { phone_number: first?.phone_number })).toEqual(repeated);
      expect(await update(first?.id, { phone_number: lead.phone_number })).toEqual(repeated);
      expect(await update(first?.id, { phone_number: second?.phone_number })).toEqual(repeated);
      const phone_number = aNumber();
      expect(await update(first?.id, { phone_number, variables: { a: 1 }, status: 'completed' })).toEqual(
        UPDATED,
      );
      expect((await get(lead.id)).secondary_contacts[0]).toMatchObject({
        phone_number,
        variables: { a: 1 },
        status: 'completed',
      });
    });
  });

  describe('campaign', () => {
    it('moves a main lead with its contacts', async () => {
      const lead = await aLead(one, campaign, { secondary_contacts: [{ phone_number: aNumber() }] });
      const target = await aCampaign(one, { name: 'Summer offer' });
      expect(await update(lead.id, { campaign_id: target })).toEqual(UPDATED);
      expect(await get(lead.id)).toMatchObject({
        campaign_id: target,
        campaign: { id: target, name: 'Summer offer' },
      });
      expect((await get(lead.secondary_contacts[0]?.id)).campaign_id).toBe(target);
    });

    it('returns the same error for a foreign and a missing campaign', async () => {
      const { id } = await aLead(one, campaign);
      const wrong = invalid({ campaign_id: ['The selected campaign id is invalid.'] });
      expect(await update(id, { campaign_id: await aCampaign(other) })).toEqual(wrong);
      expect(await update(id, { campaign_id: 2_147_483_000 })).toEqual(wrong);
      expect(await update(id, { campaign_id: 0 })).toEqual(
        invalid({ campaign_id: ['The campaign id field must be between 1 and 2147483647.'] }),
      );
    });

    it('must not contain the number', async () => {
      const lead = await aLead(one, campaign);
      const target = await aCampaign(one);
      await aLead(one, target, { phone_number: lead.phone_number });
      expect(await update(lead.id, { campaign_id: target, variables: { lost: true } })).toEqual(
        invalid({ phone_number: ['The phone number already exists in this campaign.'] }),
      );
      expect(await get(lead.id)).toEqual(lead);
    });

    it('of a contact is that of its main lead', async () => {
      const lead = await aLead(one, campaign, { secondary_contacts: [{ phone_number: aNumber() }] });
      const id = lead.secondary_contacts[0]?.id;
      expect(await update(id, { campaign_id: campaign })).toEqual(UPDATED);
      expect(await update(id, { campaign_id: await aCampaign(one) })).toEqual(
        invalid({
          campaign_id: ['The campaign id field of a secondary contact must be that of its main lead.'],
        }),
      );
    });
  });
});
