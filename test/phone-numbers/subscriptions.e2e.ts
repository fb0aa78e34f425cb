import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aLead } from '../factories/lead.js';
import { aCampaign } from '../factories/campaign.js';
import { auditLog } from '../support/audit.js';
import {
  aNumberForSale,
  balanceOf,
  letMonthPass,
  letPass,
  numberRow,
  paidFor,
  PRICE,
  purchase,
  RELEASE_FAILS,
} from '../support/bought-numbers.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Shown {
  id: number;
  nickname: string | null;
  has_active_subscription: boolean;
}

const SILENT = '+15005550022';
const BUSY = '+15005550003';

const shown = async ({ client }: TestAccount, id: number): Promise<Shown | undefined> => {
  const { body } = await client.get<{ data: Shown[] }>('/user/phone-numbers/all');
  return body.data.find((number) => number.id === id);
};

async function bought(user: TestAccount, last?: string): Promise<number> {
  const { status, text, body } = await purchase(user, aNumberForSale(last));
  if (status !== 201) throw new Error(`not bought: ${text}`);
  return body.data.id;
}

const state = (id: number, wanted: string): Promise<boolean> =>
  until(async () => (await numberRow(id)).state === wanted);

describe('a phone number', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount();
  });

  it('has a nickname of at most 50 characters or none', async () => {
    const id = await bought(user);
    const name = (nickname: unknown) =>
      user.client.put<{ data: Shown }>(`/user/phone-numbers/${id}`, { nickname });
    const { status, body } = await name('Reception');
    expect([status, body]).toEqual([
      200,
      { message: 'Phone number updated successfully', data: await shown(user, id) },
    ]);
    expect(body.data.nickname).toBe('Reception');
    expect((await user.client.put<{ data: Shown }>(`/user/phone-numbers/${id}`)).body.data.nickname).toBe(
      'Reception',
    );
    expect((await name(null)).body.data.nickname).toBeNull();
    expect((await name('x'.repeat(51))).status).toBe(422);
  });

  it('is released: the carrier sells it again, assistants and campaigns no longer use it', async () => {
    const id = await bought(user);
    const { phone_number } = (await shown(user, id)) as Shown & { phone_number: string };
    const assistant = await anAssistant(user, { phone_number_id: id });
    const [running, mixed] = [
      await aCampaign(user, { phone_number_ids: [id] }),
      await aCampaign(user, { phone_number_ids: [user.phoneNumber.id, id] }),
    ];
    // Too early to be dialled, so that the campaign goes on.
    const lead = await aLead(user, running);
    await database().query(`UPDATE leads SET due_at = now() + interval '1 hour' WHERE id = $1`, [lead.id]);
    await user.client.post('/user/campaigns/update-status', { campaign_id: running, action: 'start' });
    const { status, body } = await user.client.delete(`/user/phone-numbers/${id}`);
    expect([status, body]).toEqual([200, { message: 'Phone number released successfully' }]);
    expect(await shown(user, id)).toBeUndefined();
    await state(id, 'released');
    const campaign = async (campaignId: number) =>
      (await user.client.get<{ data: object }>(`/user/campaigns/${campaignId}`)).body.data;
    await until(async () => {
      const { text } = await user.client.get(`/user/assistant/${assistant}`);
      return (JSON.parse(text) as { data: { phone_number_id: unknown } }).data.phone_number_id === null;
    });
    await until(async () => JSON.stringify(await campaign(running)).includes('"phone_number_ids":[]'));
    // Without the only number that it may call from it would call from others.
    expect(await campaign(running)).toMatchObject({ status: 'stopped', stopped_reason: 'no_phone_number' });
    expect(await auditLog(user, 'action=campaign.stop')).toMatchObject([
      {
        actor: { type: 'system', id: null, name: null },
        resource: { type: 'campaign', id: String(running) },
        details: { reason: 'no_phone_number' },
      },
    ]);
    expect(await campaign(mixed)).toMatchObject({ phone_number_ids: [user.phoneNumber.id] });
    expect((await purchase(user, phone_number)).status).toBe(201);
  });

  it('is released later when the carrier fails, and no longer billed', async () => {
    const id = await bought(user, RELEASE_FAILS);
    expect((await user.client.delete(`/user/phone-numbers/${id}`)).status).toBe(200);
    expect(await numberRow(id)).toMatchObject({ state: 'releasing' });
    await letPass(id, '1 month');
    await state(id, 'released');
    expect(await paidFor(id)).toHaveLength(1);
  });

  it('is not released while a call runs on it', async () => {
    const caller = await anAccount();
    const { id } = caller.phoneNumber;
    const call = await aCall(caller, await anAssistant(caller, { phone_number_id: id }), {
      phoneNumber: SILENT,
    });
    await callWhen(caller, call, ({ status }) => status === 'in-progress');
    const { status, body } = await caller.client.delete(`/user/phone-numbers/${id}`);
    expect([status, body]).toEqual([
      422,
      { message: 'The phone number cannot be released while a call runs on it.' },
    ]);
    expect(await shown(caller, id)).toMatchObject({ has_active_subscription: true });
    const later = await anAccount();
    const over = await aCall(later, await anAssistant(later), { phoneNumber: BUSY });
    await callWhen(later, over, ({ status: now }) => now === 'busy');
    expect((await later.client.delete(`/user/phone-numbers/${later.phoneNumber.id}`)).status).toBe(200);
    expect(await numberRow(later.phoneNumber.id)).toMatchObject({ state: 'released', paid_months: 0 });
  });
});

describe('the subscription of a phone number', () => {
  it('is paid every month, in arrears too, once each', async () => {
    const user = await anAccount({ balance: 10 });
    const id = await bought(user);
    await letPass(id, '2 months 1 hour');
    await until(async () => (await numberRow(id)).paid_months === 3);
    expect(await paidFor(id)).toEqual([1, 2, 3].map((month) => ['phone-number', `${id}:${month}`, -PRICE]));
    expect(await shown(user, id)).toMatchObject({ has_active_subscription: true });
    const { rows } = await database().query<{ days: number }>(
      'SELECT extract(day FROM due_at - now())::int AS days FROM phone_numbers WHERE id = $1',
      [id],
    );
    expect(rows[0]?.days).toBeGreaterThan(26);
  });

  it('stays active for three days without payment, continues after a top-up in these, else ends', async () => {
    const [saved, lost] = [await anAccount({ balance: 3 }), await anAccount({ balance: 3 })];
    const [kept, gone] = [await bought(saved), await bought(lost)];
    const assistant = await anAssistant(lost, { phone_number_id: gone });
    const left = { [kept]: await letMonthPass(kept), [gone]: await letMonthPass(gone) };
    for (const id of [kept, gone]) {
      await until(async () => (await numberRow(id)).unpaid_since !== null);
    }
    expect(await shown(saved, kept)).toMatchObject({ has_active_subscription: true });
    const topUp = [
      'accounts',
      'top-up',
      '--email',
      saved.email,
      '--amount',
      '5',
      '--reference',
      `invoice ${saved.email}`,
    ];
    expect((await runCommand(topUp)).problem).toBe('');
    for (const id of [kept, gone]) await letPass(id, `${Number(left[id]) - 10} minutes`);
    await until(async () => (await numberRow(kept)).paid_months === 2);
    await letPass(gone, '11 minutes');
    await state(gone, 'released');
    expect(await numberRow(kept)).toMatchObject({ state: 'active', unpaid_since: null });
    expect(await balanceOf(saved)).toBe(3 + 5 - 2 * PRICE);
    expect(await shown(lost, gone)).toMatchObject({ has_active_subscription: false });
    expect(await balanceOf(lost)).toBe(1);
    await until(async () => {
      const { text } = await lost.client.get(`/user/assistant/${assistant}`);
      return text.includes('"phone_number_id":null');
    });
    expect((await lost.client.delete(`/user/phone-numbers/${gone}`)).status).toBe(200);
    expect(await shown(lost, gone)).toBeUndefined();
  });

  it('does not exist for numbers that operators add: they are not billed', async () => {
    const user = await anAccount({ balance: 10 });
    const { id } = user.phoneNumber;
    await letPass(id, '1 year');
    await database().query('UPDATE phone_numbers SET due_at = now() WHERE id = $1', [id]);
    await until(async () => {
      const { rows } = await database().query(
        'SELECT 1 FROM phone_numbers WHERE id = $1 AND due_at > now()',
        [id],
      );
      return rows.length > 0;
    });
    expect(await numberRow(id)).toMatchObject({ state: 'active', paid_months: 0 });
    expect(await balanceOf(user)).toBe(10);
  });

  it('is checked by accounts verify', async () => {
    const user = await anAccount();
    const id = await bought(user);
    await database().query('UPDATE phone_numbers SET paid_months = 2 WHERE id = $1', [id]);
    const { output } = await runCommand(['accounts', 'verify', '--json']);
    await database().query('UPDATE phone_numbers SET paid_months = 1 WHERE id = $1', [id]);
    const report = JSON.parse(output) as { findings: { reference: string | null; problem: string }[] };
    // Of the two months one is in the ledger.
    expect(report.findings.filter(({ reference }) => reference?.startsWith(`${id}:`))).toMatchObject([
      { reference: `${id}:2`, problem: 'sums to 0 micro-units instead of -2000000' },
    ]);
  });
});
