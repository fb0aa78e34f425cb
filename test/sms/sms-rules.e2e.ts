import { beforeAll, describe, expect, it } from '@jest/globals';
import { aPhoneNumber, anAccount, type TestAccount } from '../factories/account.js';
import { balanceOf, DELIVERED } from '../support/sms.js';

describe('checks before sending, in order', () => {
  let user: TestAccount;
  let poor: TestAccount;
  let other: TestAccount;
  let mute: number;
  let expired: number;
  let muteAndExpired: number;
  const INVALID = '+12125550';
  const past = new Date(Date.now() - 1000);

  beforeAll(async () => {
    [user, poor, other] = await Promise.all([anAccount(), anAccount({ balance: 0.001 }), anAccount()]);
    mute = (await aPhoneNumber(poor.id, { smsCapable: false })).id;
    expired = (await aPhoneNumber(poor.id, { expiresAt: past })).id;
    muteAndExpired = (await aPhoneNumber(poor.id, { smsCapable: false, expiresAt: past })).id;
  });

  const answerOf = async (account: TestAccount, from: number, to: string, body = 'Hello') => {
    const answer = await account.client.post('/user/sms', { from, to, body });
    return [answer.status, answer.text];
  };
  const says = (message: string) => [400, JSON.stringify({ message })];

  it.each([
    [
      'a number of another user',
      () => answerOf(user, other.phoneNumber.id, DELIVERED),
      'From number not found',
    ],
    ['a number that does not exist', () => answerOf(user, 2_147_483_647, DELIVERED), 'From number not found'],
    [
      'a sender that cannot, and nothing else right',
      () => answerOf(poor, muteAndExpired, INVALID),
      'Phone number is not SMS-capable',
    ],
    [
      'a sender that cannot, and an invalid recipient',
      () => answerOf(poor, mute, INVALID),
      'Phone number is not SMS-capable',
    ],
    [
      'an expired subscription, a low balance and an invalid recipient',
      () => answerOf(poor, expired, INVALID),
      'Phone number subscription is not active',
    ],
    [
      'a low balance and an invalid recipient',
      () => answerOf(poor, poor.phoneNumber.id, INVALID),
      'Insufficient balance to send SMS',
    ],
    [
      'a low balance',
      () => answerOf(poor, poor.phoneNumber.id, DELIVERED),
      'Insufficient balance to send SMS',
    ],
    [
      'an impossible recipient',
      () => answerOf(user, user.phoneNumber.id, INVALID),
      'Invalid phone number format',
    ],
    [
      'a possible recipient in no range that is in use',
      () => answerOf(user, user.phoneNumber.id, '+15555550123'),
      'Invalid phone number format',
    ],
    [
      'words for a recipient',
      () => answerOf(user, user.phoneNumber.id, 'nobody'),
      'Invalid phone number format',
    ],
    [
      'a foreign sender and an invalid recipient',
      () => answerOf(poor, user.phoneNumber.id, INVALID),
      'From number not found',
    ],
  ])('%s', async (_, ask, message) => {
    expect(await ask()).toEqual(says(message));
  });

  it('charges nothing for refused messages', async () => {
    expect(await balanceOf(poor)).toBe(0.001);
    expect((await poor.client.get<{ total: number }>('/user/sms')).body.total).toBe(0);
  });
});
