import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';

// The account's country is the US, where the digits alone are another number or none.
const NUMBER = '+442079460123';

describe('the filter by phone number', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount();
    const assistantId = await anAssistant(user);
    await aLead(user, await aCampaign(user, { assistant_id: assistantId }), { phone_number: NUMBER });
    await user.client.post('/user/suppressions', { phone_number: NUMBER });
    const token = randomBytes(12).toString('hex');
    const from = user.phoneNumber.phone_number;
    await database().query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
       VALUES ($1, $2, 'Ada', 'outbound', 'completed', $3, $4, $5, '{}', 0, 600, now())`,
      [user.id, assistantId, token, from, NUMBER],
    );
    await database().query(
      `INSERT INTO sms_messages (account_id, phone_number_id, from_number, to_number, body, segments,
         segment_price_micros, total_cost_micros, status, token, sms_sid)
       VALUES ($1, $2, $3, $4, 'Hello', 1, 75000, 75000, 'delivered', $5, $5)`,
      [user.id, user.phoneNumber.id, from, NUMBER, token],
    );
  });

  it.each(['leads', 'calls', 'sms', 'suppressions'])(
    'accepts an unescaped + in the list of %s',
    async (list) => {
      const total = async (number: string): Promise<number> => {
        const { body } = await user.client.get<{ total: number }>(
          `/user/${list}?page=1&per_page=10&phone_number=${number}`,
        );
        return body.total;
      };
      expect(await total(encodeURIComponent(NUMBER))).toBe(1);
      expect(await total(NUMBER)).toBe(1);
      expect(await total(NUMBER.slice(0, -1))).toBe(0);
    },
  );
});
