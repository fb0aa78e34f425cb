import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CallerIdsService } from '#src/modules/dialer/caller-ids.service.js';
import { anAccount, aPhoneNumber, type TestAccount } from '../factories/account.js';
import { databaseUrl } from '../support/database.js';

const ELSEWHERE = '+4930901820';

let user: TestAccount;
let own: { id: number; phone_number: string }[];
const db = new DataSource({ type: 'postgres', url: databaseUrl() });
const service = new CallerIdsService();

beforeAll(() => db.initialize());
afterAll(() => db.destroy());
beforeEach(async () => {
  user = await anAccount();
  own = [
    await aPhoneNumber(user.id),
    await aPhoneNumber(user.id),
    await aPhoneNumber(user.id, { expiresAt: new Date(0) }),
  ];
});

const called = (from: string, to: string, at = 'now()') =>
  db.query(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, carrier_sid, variables, price_per_minute_micros, max_duration, created_at)
     VALUES ($1, 1, 'Ada', 'outbound', 'completed', gen_random_uuid(), $2, $3, gen_random_uuid(), '{}', 0, 60, ${at})`,
    [user.id, from, to],
  );
const ids = (list = own) => list.map(({ id }) => id);
const select = async (numbers: string[], phoneNumberIds = ids(), phoneNumberId: number | null = null) => {
  const assistant = { accountId: user.id, phoneNumberId };
  return (await service.findCallerIds([{ assistant, phoneNumberIds, numbers }], db.manager))[0];
};

it('is the same as last time for the same person, however often it was used', async () => {
  const [first, second] = own.map(({ phone_number }) => phone_number) as [string, string];
  await called(first, ELSEWHERE, `now() - interval '3 days'`);
  await called(second, ELSEWHERE, `now() - interval '2 days'`);
  await called(second, '+4930901821');
  expect(await select([ELSEWHERE])).toEqual(new Map([[ELSEWHERE, second]]));
});

it('is otherwise the least used today, and a batch is spread', async () => {
  const [first, second] = own.map(({ phone_number }) => phone_number) as [string, string];
  await called(first, '+4930901821');
  await called(first, '+4930901822');
  await called(second, '+4930901823', `now() - interval '2 days'`);
  const numbers = ['+4930901001', '+4930901002', '+4930901003', '+4930901004'];
  expect([...((await select(numbers)) ?? [])]).toEqual([
    ['+4930901001', second],
    ['+4930901002', second],
    ['+4930901003', first],
    ['+4930901004', second],
  ]);
});

it("is none where no number of the campaign is active, and never another account's", async () => {
  expect(await select([ELSEWHERE], ids(own.slice(2)))).toBeNull();
  const other = await anAccount();
  expect(await select([ELSEWHERE], [other.phoneNumber.id])).toBeNull();
});

it("without numbers of the campaign is the assistant's, else the account's oldest active one", async () => {
  const [first, , expired] = own;
  const all = new Map([[ELSEWHERE, first?.phone_number]]);
  expect(await select([ELSEWHERE], [], first?.id)).toEqual(all);
  const oldest = new Map([[ELSEWHERE, user.phoneNumber.phone_number]]);
  expect(await select([ELSEWHERE], [], expired?.id)).toEqual(oldest);
  expect(await select([ELSEWHERE], [])).toEqual(oldest);
  await db.query(`UPDATE phone_numbers SET subscription_expires_at = now() WHERE account_id = $1`, [user.id]);
  expect(await select([ELSEWHERE], [])).toBeNull();
});

it('is found for several campaigns with one query, each with its own numbers', async () => {
  const other = await anAccount();
  const of = (accountId: number, phoneNumberIds: number[], numbers: string[]) => ({
    assistant: { accountId, phoneNumberId: null },
    phoneNumberIds,
    numbers,
  });
  const asked = [
    of(user.id, ids(own.slice(2)), [ELSEWHERE]),
    of(other.id, [], [ELSEWHERE, '+4930901001']),
    of(user.id, ids(own.slice(0, 1)), ['+4930901002']),
    of(other.id, ids(), [ELSEWHERE]),
  ];
  const from = other.phoneNumber.phone_number;
  expect(await service.findCallerIds(asked, db.manager)).toEqual([
    null,
    new Map([
      [ELSEWHERE, from],
      ['+4930901001', from],
    ]),
    new Map([['+4930901002', own[0]?.phone_number]]),
    null,
  ]);
});
