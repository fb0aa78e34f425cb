import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { baseUrl } from '../support/client.js';
import {
  ANSWER_LOST,
  balanceOf,
  CARRIER_FAILS,
  DELIVERED,
  NO_MOBILE,
  plus,
  UNDELIVERABLE,
  type Sent,
  type Sms,
} from '../support/sms.js';
import { until } from '../support/until.js';

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

  it('returns the record, charges the cost and follows the delivery', async () => {
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

  it('charges the former price of its recipient', async () => {
    const { status, body } = await user.client.get(`/user/sms/price?to=${plus(DELIVERED)}`);
    const sent = await send(a(DELIVERED));
    expect([status, body]).toEqual([
      200,
      { data: { country: 'US', segment_price: sent.body.data.segment_price } },
    ]);
    const nobody = await user.client.get('/user/sms/price?to=nobody');
    expect(nobody.body).toMatchObject({ data: { country: null } });
    expect((await user.client.get('/user/sms/price')).status).toBe(422);
  });

  it('charges an undeliverable message that the carrier accepted', async () => {
    const before = await balanceOf(user);
    const { body } = await send(a(UNDELIVERABLE));
    expect(body.message).toBe('SMS sent successfully');
    await settled(body.data.id, 'failed');
    expect(await balanceOf(user)).toBeCloseTo(before - body.data.total_cost, 6);
  });

  it.each([
    ['refuses', NO_MOBILE],
    ['fails', CARRIER_FAILS],
  ])('refunds the cost when the carrier %s', async (_, to) => {
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

  it('completes a message by its delivery report when the response is lost', async () => {
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
    await expect(request).rejects.toThrow(/abort/i);
    expect(sms_sid).toMatch(/^SM/);
    expect(await balanceOf(user)).toBeCloseTo(before - total_cost, 6);
  });

  it('formats numbers in the notation of people', async () => {
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

  it('accepts 300 UTF-16 units', async () => {
    const { status, body } = await send(a(DELIVERED, '😀'.repeat(150)));
    expect([status, body.data.segments]).toEqual([200, 5]);
  });

  it('requires a token and shows messages to their owner only', async () => {
    const { body } = await send(a(DELIVERED));
    expect((await user.client.get(`/user/sms/${body.data.id}`)).status).toBe(200);
    const foreign = await other.client.get(`/user/sms/${body.data.id}`);
    const missing = await other.client.get('/user/sms/2147483647');
    expect([foreign.status, foreign.body]).toEqual([404, { message: 'SMS not found' }]);
    expect(missing.text).toBe(foreign.text);
  });
});

describe('parallel messages of different cost', () => {
  it('use all of the balance that pays for one of them', async () => {
    const probe = await anAccount();
    const { body } = await probe.client.post<Sent>('/user/sms', {
      from: probe.phoneNumber.id,
      to: DELIVERED,
      body: 'x',
    });
    const price = body.data.segment_price;
    const user = await anAccount({ balance: 7 * price });
    const asked = Array.from({ length: 40 }, (_, index) =>
      user.client.post<Sent>(
        '/user/sms',
        { from: user.phoneNumber.id, to: DELIVERED, body: 'x'.repeat(index % 2 === 0 ? 161 : 1) },
        { 'Idempotency-Key': `different-${index}` },
      ),
    );
    const answers = await Promise.all(asked);
    const sent = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(40 - sent.length);
    expect(sent.reduce((sum, { body: { data } }) => sum + data.segments, 0)).toBe(7);
    expect(await balanceOf(user)).toBe(0);
  });
});

/** As many requests as an account has slots for: those beyond would wait, and be sent away on a slow machine. */
const AT_ONCE = 20;

describe('400 messages, 20 at a time, with a balance for 40', () => {
  it('sends exactly 40 and uses the whole balance', async () => {
    const probe = await anAccount();
    const { body } = await probe.client.post<Sent>('/user/sms', {
      from: probe.phoneNumber.id,
      to: DELIVERED,
      body: 'x',
    });
    const user = await anAccount({ balance: 40 * body.data.segment_price });
    const request = { from: user.phoneNumber.id, to: DELIVERED, body: 'x' };
    const senders = Array.from({ length: AT_ONCE }, async () => {
      const answers = [];
      for (let count = 0; count < 400 / AT_ONCE; count++)
        answers.push(await user.client.post<Sent>('/user/sms', request));
      return answers;
    });
    const answers = (await Promise.all(senders)).flat();
    const count = (status: number, message: string) =>
      answers.filter((answer) => answer.status === status && answer.body.message === message).length;
    expect(count(200, 'SMS sent successfully')).toBe(40);
    expect(count(400, 'Insufficient balance to send SMS')).toBe(360);
    expect(await balanceOf(user)).toBe(0);
    expect((await user.client.get<{ total: number }>('/user/sms')).body.total).toBe(40);
  });
});
