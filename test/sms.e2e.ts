import { beforeAll, describe, expect, it } from '@jest/globals';
import { aPhoneNumber, anAccount, type TestAccount } from './factories/account.js';
import { baseUrl } from './support/client.js';
import { until } from './support/until.js';

interface Sms {
  id: number;
  phone_number_id: number;
  to: string;
  body: string;
  user_id: number;
  segments: number;
  segment_price: number;
  total_cost: number;
  status: string;
  sms_sid: string | null;
  created_at: string;
  updated_at: string;
}

interface Sent {
  message: string;
  data: Sms;
}

/** The sandbox's people, by what becomes of a message to them. */
const DELIVERED = '+15005550006';
const UNDELIVERABLE = '+15005550007';
const CARRIER_FAILS = '+15005550008';
const NO_MOBILE = '+15005550009';
const ANSWER_LOST = '+15005550030';

const plus = (number: string): string => encodeURIComponent(number);

const balanceOf = async ({ client }: TestAccount): Promise<number> =>
  (await client.get<{ total_balance: number }>('/user/me')).body.total_balance;

describe('sending an SMS', () => {
  let user: TestAccount;
  let other: TestAccount;
  const send = (body: unknown) => user.client.post<Sent>('/user/sms', body);
  const a = (to: string, body = 'Hello') => ({ from: user.phoneNumber.id, to, body });
  const settled = (id: number, status: string) =>
    until(async () => {
      const { body } = await user.client.get<{ data: Sms }>(`/user/sms/${id}`);
      return body.data.status === status ? body.data : null;
    });

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount({ balance: 10 }), anAccount()]);
  });

  it('answers with the record, takes the cost and follows the delivery', async () => {
    const before = await balanceOf(user);
    const answer = await send(a(DELIVERED, 'Your appointment is on Thursday.'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: 'SMS sent successfully',
      data: {
        id: expect.any(Number),
        phone_number_id: user.phoneNumber.id,
        to: DELIVERED,
        body: 'Your appointment is on Thursday.',
        user_id: user.id,
        segments: 1,
        segment_price: expect.any(Number),
        total_cost: answer.body.data.segment_price,
        status: 'sent',
        sms_sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    });
    expect(await balanceOf(user)).toBeCloseTo(before - answer.body.data.total_cost, 6);
    await settled(answer.body.data.id, 'delivered');
  });

  it('charges every segment', async () => {
    const { body } = await send(a(DELIVERED, 'x'.repeat(161)));
    expect(body.data).toMatchObject({ segments: 2, total_cost: 2 * body.data.segment_price });
    const emoji = await send(a(DELIVERED, '😀'.repeat(36)));
    expect(emoji.body.data.segments).toBe(2);
  });

  it('keeps an undeliverable message charged: the carrier took it', async () => {
    const before = await balanceOf(user);
    const { body } = await send(a(UNDELIVERABLE));
    expect(body.message).toBe('SMS sent successfully');
    await settled(body.data.id, 'failed');
    expect(await balanceOf(user)).toBeCloseTo(before - body.data.total_cost, 6);
  });

  it.each([
    ['refuses', NO_MOBILE],
    ['fails', CARRIER_FAILS],
  ])('gives the money back when the carrier %s', async (_, to) => {
    const before = await balanceOf(user);
    const answer = await send(a(to));
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ message: 'Failed to send SMS', error: expect.stringMatching(/\w/) });
    expect(await balanceOf(user)).toBe(before);
    const { body } = await user.client.get<{ data: Sms[] }>(
      `/user/sms?status=failed&phone_number=${plus(to)}`,
    );
    expect(body.data[0]).toMatchObject({ to, status: 'failed', sms_sid: null });
  });

  it('learns from the delivery report of a message whose answer was lost', async () => {
    const before = await balanceOf(user);
    const hangUp = new AbortController();
    const request = fetch(`${baseUrl()}/api/user/sms`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(a(ANSWER_LOST)),
      signal: hangUp.signal,
    });
    const { total_cost, sms_sid } = await until(async () => {
      const { body } = await user.client.get<{ data: Sms[] }>(
        `/user/sms?status=delivered&phone_number=${plus(ANSWER_LOST)}`,
      );
      return body.data[0] ?? null;
    });
    hangUp.abort();
    await expect(request).rejects.toThrow();
    expect(sms_sid).toMatch(/^SM/);
    expect(await balanceOf(user)).toBeCloseTo(before - total_cost, 6);
  });

  it('formats what a person would write', async () => {
    const { body } = await send(a('(212) 456-7890'));
    expect(body.data.to).toBe('+12124567890');
  });

  it.each([
    [
      {},
      {
        from: ['The from field is required.'],
        to: ['The to field is required.'],
        body: ['The body field is required.'],
      },
    ],
    [
      { from: 'x', to: 1, body: ['x'] },
      {
        from: ['The from field must be an integer.'],
        to: ['The to field must be a string.'],
        body: ['The body field must be a string.'],
      },
    ],
    [
      { from: 2 ** 31, to: DELIVERED, body: 'x' },
      { from: ['The from field must be between 1 and 2147483647.'] },
    ],
    [
      { from: 1, to: DELIVERED, body: 'x'.repeat(301) },
      { body: ['The body field must not be greater than 300 characters.'] },
    ],
    [
      { from: 1, to: DELIVERED, body: '😀'.repeat(151) },
      { body: ['The body field must not be greater than 300 characters.'] },
    ],
  ])('refuses fields that break a rule (%#)', async (body, errors) => {
    const answer = await send(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: 'The given data was invalid.', errors });
  });

  it('takes 300 UTF-16 units', async () => {
    const { status, body } = await send(a(DELIVERED, '😀'.repeat(150)));
    expect([status, body.data.segments]).toEqual([200, 5]);
  });

  it('asks for a token and keeps messages to their owner', async () => {
    const { body } = await send(a(DELIVERED));
    expect((await user.client.get(`/user/sms/${body.data.id}`)).status).toBe(200);
    const foreign = await other.client.get(`/user/sms/${body.data.id}`);
    const missing = await other.client.get('/user/sms/2147483647');
    expect([foreign.status, foreign.body]).toEqual([404, { message: 'SMS not found' }]);
    expect(missing.text).toBe(foreign.text);
  });
});

describe('the rules of sending, in their order', () => {
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

  it('charges nothing for what it refuses', async () => {
    expect(await balanceOf(poor)).toBe(0.001);
    expect((await poor.client.get<{ total: number }>('/user/sms')).body.total).toBe(0);
  });
});

describe('400 messages at once on a balance for 40', () => {
  it('sends exactly 40 and leaves nothing', async () => {
    const probe = await anAccount();
    const { body } = await probe.client.post<Sent>('/user/sms', {
      from: probe.phoneNumber.id,
      to: DELIVERED,
      body: 'x',
    });
    const user = await anAccount({ balance: 40 * body.data.segment_price });
    const request = { from: user.phoneNumber.id, to: DELIVERED, body: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 400 }, () => user.client.post<Sent>('/user/sms', request)),
    );
    const count = (status: number, message: string) =>
      answers.filter((answer) => answer.status === status && answer.body.message === message).length;
    expect(count(200, 'SMS sent successfully')).toBe(40);
    expect(count(400, 'Insufficient balance to send SMS')).toBe(360);
    expect(await balanceOf(user)).toBe(0);
    expect((await user.client.get<{ total: number }>('/user/sms')).body.total).toBe(40);
  }, 30_000);
});

describe('the list of messages', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
    for (const to of [DELIVERED, UNDELIVERABLE, DELIVERED]) {
      await user.client.post('/user/sms', { from: user.phoneNumber.id, to, body: to });
    }
  });

  const list = (query: string, { client } = user) =>
    client.get<{ total: number; data: Sms[]; per_page: number }>(`/user/sms${query}`);

  it("is the owner's, newest first", async () => {
    const { body } = await list('');
    expect([body.total, body.per_page]).toEqual([3, 15]);
    const ids = body.data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await list('', other)).body.total).toBe(0);
  });

  it.each([
    [`?phone_number=${plus(DELIVERED)}`, 2],
    ['?phone_number=(500) 555-0007', 1],
    ['?phone_number=nobody', 0],
    [`?date_from=2020-01-01&date_to=2999-12-31`, 3],
    ['?date_to=2020-01-01', 0],
    ['?date_from=2999-01-01', 0],
    ['?page=2&per_page=2', 3],
    ['?status=pending', 0],
  ])('filters (%s)', async (query, total) => {
    const { status, body } = await list(query);
    expect([status, body.total]).toEqual([200, total]);
  });

  it.each([
    ['?status=lost', { status: ['The selected status is invalid.'] }],
    [
      '?date_from=2026-02-30',
      { date_from: ['The date from field must be a valid date in the format YYYY-MM-DD.'] },
    ],
    ['?per_page=101', { per_page: ['The per page field must be between 1 and 100.'] }],
  ])('refuses %s', async (query, errors) => {
    const answer = await list(query);
    expect([answer.status, answer.body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });
});
