import { describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber, BUSY, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import { runCommand } from '../support/command.js';
import { DELIVERED } from '../support/sms.js';
import { until } from '../support/until.js';

/** Says nothing and stays on the line. */
const SILENT = '+15005550022';
/** Of the plan `standard`. */
const MINUTE = 0.05;

interface Me {
  total_balance: number;
  available_balance: number;
}

const me = async ({ client }: TestAccount): Promise<Me> => (await client.get<Me>('/user/me')).body;
const refusedForMoney = { message: 'Insufficient balance to make call. Please top up your account.' };

const carrier = Carrier.shared();

/** A call that is on the line. */
async function aRunningCall(user: TestAccount, assistantId: number): Promise<number> {
  const id = await aCall(user, assistantId, { phoneNumber: SILENT });
  await callWhen(user, id, ({ status }) => status === 'in-progress');
  return id;
}

async function endOf(user: TestAccount, callId: number): Promise<void> {
  await carrier.hangUp(callId);
  await callWhen(user, callId, ({ status }) => status === 'completed');
}

describe('a hold', () => {
  it('reduces the available balance until the call is charged', async () => {
    const user = await anAccount({ balance: 10 });
    const callId = await aRunningCall(user, await anAssistant(user, { max_call_duration: 90 }));
    expect(await me(user)).toMatchObject({ total_balance: 10, available_balance: 10 - 2 * MINUTE });
    await user.client.delete(`/user/calls/${callId}`);
    await carrier.hangUp(callId);
    const charged = await until(async () => {
      const now = await me(user);
      return now.total_balance < 10 ? now : null;
    });
    expect(charged.available_balance).toBe(charged.total_balance);
  });

  it('is released when the call is not answered', async () => {
    const user = await anAccount({ balance: 10 });
    const callId = await aCall(user, await anAssistant(user), { phoneNumber: BUSY });
    await callWhen(user, callId, ({ status }) => status === 'busy');
    expect(await me(user)).toMatchObject({ total_balance: 10, available_balance: 10 });
  });

  it('prevents parallel calls from exceeding the balance', async () => {
    const user = await anAccount({ balance: 3 * MINUTE, plan: 'standard' });
    const assistant_id = await anAssistant(user, { max_call_duration: 60 });
    // Nobody hangs up meanwhile: a hold that ends would pay for another call.
    const calls = Array.from({ length: 20 }, (_, index) =>
      user.client.post<{ call_id?: number }>('/user/make_call', {
        assistant_id,
        phone_number: aSilentNumber(index),
      }),
    );
    const answers = await Promise.all(calls);
    const placed = answers.filter(({ status }) => status === 200);
    expect(placed).toHaveLength(3);
    for (const { status, body } of answers.filter((answer) => !placed.includes(answer))) {
      expect([status, body]).toEqual([422, refusedForMoney]);
    }
    await Promise.all(
      placed.map(async ({ body: { call_id = 0 } }) => {
        await callWhen(user, call_id, ({ status }) => status === 'in-progress');
        await endOf(user, call_id);
      }),
    );
    const { total_balance, available_balance } = await me(user);
    expect(available_balance).toBe(total_balance);
  });

  it('shortens a call to the minutes that the balance pays, at the carrier too', async () => {
    const user = await anAccount({ balance: 2.5 * MINUTE });
    const assistantId = await anAssistant(user, { max_call_duration: 600 });
    const callId = await aRunningCall(user, assistantId);
    expect((await me(user)).available_balance).toBeCloseTo(0.5 * MINUTE, 6);
    const { sid } = await carrier.callAtCarrier(callId);
    const dial = (await carrier.journal(sid)).find(({ kind }) => kind === 'dial');
    expect(dial).toMatchObject({ limitSeconds: 120 });

    // Half a minute is left: less than a call needs.
    const { status, body } = await user.client.post('/user/make_call', {
      assistant_id: assistantId,
      phone_number: aNumber(),
    });
    expect([status, body]).toEqual([422, refusedForMoney]);
    await endOf(user, callId);
  });

  it('cannot be spent on messages', async () => {
    const user = await anAccount({ balance: 2 * MINUTE + 0.001 });
    const callId = await aRunningCall(user, await anAssistant(user, { max_call_duration: 120 }));
    const send = (to: string) =>
      user.client.post('/user/sms', { from: user.phoneNumber.id, to, body: 'Hello'.repeat(20) });
    for (const to of [DELIVERED, '12345678']) {
      const { status, body } = await send(to);
      expect([status, body]).toEqual([400, { message: 'Insufficient balance to send SMS' }]);
    }
    expect((await me(user)).total_balance).toBeCloseTo(2 * MINUTE + 0.001, 6);
    await endOf(user, callId);
  });

  it('pauses a campaign until it is released', async () => {
    const user = await anAccount({ balance: 3.4 * MINUTE });
    const callId = await aRunningCall(user, await anAssistant(user, { max_call_duration: 180 }));
    const campaign = await aCampaign(user, { mark_complete_when_no_leads: false });
    await aLead(user, campaign);
    await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'start' });
    await endOf(user, callId);
    const { rows } = await until(async () => {
      const found = await carrier.db.query<{ waited: boolean }>(
        `SELECT created_at >= (SELECT ended_at FROM calls WHERE id = $1) AS waited FROM calls WHERE campaign_id = $2`,
        [callId, campaign],
      );
      return found.rows.length > 0 ? found : null;
    });
    expect(rows).toEqual([{ waited: true }]);
    const { body } = await user.client.get<{ data: { status: string } }>(`/user/campaigns/${campaign}`);
    expect(body.data.status).toBe('in-progress');
  });

  it('applies to inbound calls too', async () => {
    const user = await anAccount({ balance: 1.5 * MINUTE });
    const number = user.phoneNumber;
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: number.id });
    const call = async (from: string, status: string): Promise<number> => {
      await carrier.incoming(number.phone_number, from);
      return until(async () => {
        const { body } = await user.client.get<{ data: { id: number }[] }>(
          `/user/calls?phone_number=${encodeURIComponent(from)}&status=${status}`,
        );
        return body.data[0]?.id ?? null;
      });
    };
    const taken = await call('+14155550191', 'in-progress');
    expect((await me(user)).available_balance).toBeCloseTo(0.5 * MINUTE, 6);
    const turnedAway = await call('+14155550192', 'busy');
    const { body } = await user.client.get(`/user/calls/${turnedAway}`);
    expect(body).toMatchObject({ ended_reason: 'balance' });
    await carrier.says('status', {
      CallSid: (await carrier.callAtCarrier(taken)).sid,
      CallStatus: 'completed',
      CallDuration: '1',
    });
    await callWhen(user, taken, ({ status }) => status === 'completed');
    const after = await me(user);
    expect(after.available_balance).toBe(after.total_balance);
  });

  it('is checked by accounts verify', async () => {
    const user = await anAccount({ balance: 10 });
    const callId = await aRunningCall(user, await anAssistant(user, { max_call_duration: 60 }));
    const findings = async (): Promise<string[]> => {
      const { output } = await runCommand(['accounts', 'verify', '--json']);
      const report = JSON.parse(output) as { findings: { accountId: number; problem: string }[] };
      return report.findings.filter(({ accountId }) => accountId === user.id).map(({ problem }) => problem);
    };
    expect(await findings()).toEqual([]);
    const shift = (micros: number) =>
      carrier.db.query('UPDATE accounts SET held_micros = held_micros + $2 WHERE id = $1', [user.id, micros]);
    await shift(7);
    expect(await findings()).toEqual(['50007 micro-units are held, running calls hold 50000']);
    await shift(-7);
    await endOf(user, callId);
  });
});
