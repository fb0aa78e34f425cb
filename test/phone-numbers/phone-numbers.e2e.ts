import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, aPhoneNumber, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { Client } from '../support/client.js';

const YESTERDAY = new Date(Date.now() - 86_400_000);
const TOMORROW = new Date(Date.now() + 86_400_000);

describe('phone numbers', () => {
  let one: TestAccount;
  let other: TestAccount;
  let voiceOnly: { id: number };
  let expired: { id: number };
  let ending: { id: number };

  const ids = async (account: TestAccount, path: string): Promise<number[]> => {
    const { body } = await account.client.get<{ id: number }[] | { data: { id: number }[] }>(path);
    return ('data' in body ? body.data : body).map(({ id }) => id);
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    voiceOnly = await aPhoneNumber(one.id, { smsCapable: false });
    expired = await aPhoneNumber(one.id, { expiresAt: YESTERDAY });
    ending = await aPhoneNumber(one.id, { expiresAt: TOMORROW });
  });

  it('lists the SMS-capable ones with an active subscription, newest first', async () => {
    expect(await ids(one, '/user/phone-numbers')).toEqual([ending.id, one.phoneNumber.id]);
    expect(await ids(other, '/user/phone-numbers')).toEqual([other.phoneNumber.id]);
  });

  it('lists all of them', async () => {
    const { status, body } = await one.client.get<{ data: object[] }>('/user/phone-numbers/all');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: ending.id, has_active_subscription: true },
      { id: expired.id, has_active_subscription: false },
      { id: voiceOnly.id, sms_capable: false },
      { id: one.phoneNumber.id },
    ]);
    expect(body.data.at(-1)).toEqual({
      id: one.phoneNumber.id,
      phone_number: one.phoneNumber.phone_number,
      nickname: null,
      country_code: 'US',
      type: 'local',
      type_label: 'Local',
      sms_capable: true,
      region: null,
      has_active_subscription: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });

  it('marks numbers that an inbound assistant can use: not expired, not used by another inbound one', async () => {
    const [taken, shared] = [await aPhoneNumber(other.id), await aPhoneNumber(other.id)];
    await anAssistant(other, { calls_direction: 'receive', phone_number_id: taken.id });
    await anAssistant(other, { calls_direction: 'make', phone_number_id: shared.id });
    const late = await aPhoneNumber(other.id, { expiresAt: YESTERDAY });
    const availability = async (query: string) => {
      const { body } = await other.client.get<{ id: number; is_available: boolean }[]>(
        `/user/assistants/phone-numbers${query}`,
      );
      return body.map(({ id, is_available }) => [id, is_available]);
    };
    const free = [
      [late.id, false],
      [shared.id, true],
    ];
    expect(await availability('?type=inbound')).toEqual([
      ...free,
      [taken.id, false],
      [other.phoneNumber.id, true],
    ]);
    expect(await availability('?type=outbound')).toEqual([
      ...free,
      [taken.id, true],
      [other.phoneNumber.id, true],
    ]);
    expect(await availability('')).toEqual([...free, [taken.id, true], [other.phoneNumber.id, true]]);
    const { body } = await other.client.get<object[]>('/user/assistants/phone-numbers');
    expect(body.at(-1)).toEqual({
      id: other.phoneNumber.id,
      phone_number: other.phoneNumber.phone_number,
      country_code: 'US',
      type_label: 'Local',
      is_available: true,
    });
  });

  it('refuses a type that does not exist', async () => {
    const { status, body } = await one.client.get('/user/assistants/phone-numbers?type=web');
    expect([status, body]).toEqual([
      422,
      { message: 'Validation failed', errors: { type: ['The selected type is invalid.'] } },
    ]);
  });

  it.each(['/user/phone-numbers', '/user/phone-numbers/all', '/user/assistants/phone-numbers'])(
    'returns 401 for %s without a token',
    async (path) => {
      const { status, body } = await new Client(null).get(path);
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
    },
  );
});
