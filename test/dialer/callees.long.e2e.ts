import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { switchTo } from '../support/dialling.js';
import { until } from '../support/until.js';

/** All calls together take about a minute; on a loaded machine many. */
const SLOW_MACHINE_MS = 600_000;

const VOICEMAIL_AGAIN = { retry_on_voicemail: true };
const GOAL = { retry_on_goal_incomplete: true, goal_completion_variable: 'status' };

const RULES = {
  'one attempt': { max_retries: 1 },
  'two attempts': { max_retries: 2 },
  'two attempts, voicemail': { max_retries: 2, ...VOICEMAIL_AGAIN },
  'two attempts, goal': { max_retries: 2, ...GOAL },
  'two attempts, voicemail, goal': { max_retries: 2, ...VOICEMAIL_AGAIN, ...GOAL },
  'one attempt, a polite contact': { max_retries: 1 },
  'one attempt, a polite contact, suppressed': { max_retries: 1 },
};
type Rule = keyof typeof RULES;

/** Status and outcome of the lead, and mostly the calls to its main number, for each of the rules in their order. */
type Row = readonly [string, string, string, string, string, string, string];

const CONTACT_REACHED = 'completed completed';
/** The contact is called in place of the suppressed main number. */
const SUPPRESSED = `${CONTACT_REACHED} 0`;
const notReached = (outcome: string): Row => {
  const after = (calls: number): string => `reached-max-retries ${outcome} ${calls}`;
  return [after(1), after(2), after(2), after(2), after(2), `${CONTACT_REACHED} 1`, SUPPRESSED];
};
const REACHED = 'completed completed 1';
const GOAL_MISSED = 'reached-max-retries goal_incomplete 2';
const MACHINE = 'completed machine 1';
const MACHINE_AGAIN = 'reached-max-retries machine 2';
const INVALID = 'reached-max-retries invalid_number 1';

const KINDS = {
  invalid: [INVALID, INVALID, INVALID, INVALID, INVALID, `${CONTACT_REACHED} 1`, SUPPRESSED],
  unroutable: notReached('failed'),
  busy: notReached('busy'),
  silent: notReached('no-answer'),
  machine: [MACHINE, MACHINE, MACHINE_AGAIN, MACHINE_AGAIN, MACHINE_AGAIN, MACHINE, SUPPRESSED],
  // Reaches the goal, on a busy machine not always in the first call.
  person: [REACHED, REACHED, REACHED, CONTACT_REACHED, CONTACT_REACHED, REACHED, SUPPRESSED],
  'person without the goal': [REACHED, REACHED, REACHED, GOAL_MISSED, GOAL_MISSED, REACHED, SUPPRESSED],
} satisfies Record<string, Row>;

/**
 * Every callee of the sandbox (docs/build/sandbox.md), by the last four digits of its number, but 0024, who opts out and
 * does not wait for a busy machine: `lead-outcomes.e2e.ts` calls it.
 */
const CALLEES: Record<keyof typeof KINDS, string> = {
  invalid: '0001',
  unroutable: '0002',
  busy: '0003 6001 7001',
  silent: '0004',
  machine: '0005 0052 0053',
  // Who screens calls, 0050, hears the reason and puts the person through.
  person:
    '0006 0007 0008 0009 0010 0020 0021 0025 0026 0027 0029 0030 0031 0032 0033 0034 0035 0036 0040 0042 0050 0051 1234 ' +
    '0811 0812 0813 0814 0815 0925',
  'person without the goal': '0022 0023 0028 0041 0060 0061 0062 0063 0064 0065 0911',
};
const DIGITS = Object.values(CALLEES).flatMap((digits) => digits.split(' '));
const rules = Object.keys(RULES) as Rule[];

/** @returns what became of each callee, in an account of its own: an account calls a number once at a time */
async function run(rule: Rule): Promise<Map<string, string>> {
  const user = await anAccount({ plan: 'unlimited', balance: 1_000 });
  const limits = { ringing_time: 5, max_silence_duration: 10, max_call_duration: 60 };
  const assistant_id = await anAssistant(user, limits);
  const campaign = await aCampaign(user, { ...RULES[rule], assistant_id, max_calls_in_parallel: 5 });
  for (const [index, digits] of DIGITS.entries()) {
    const phone_number = `+1500555${digits}`;
    const contact = { phone_number: `+1500555${4_000 + index}` };
    if (rule.endsWith('suppressed')) await user.client.post('/user/suppressions', { phone_number });
    await aLead(user, campaign, {
      phone_number,
      secondary_contacts: rule.includes('contact') ? [contact] : [],
    });
  }
  await switchTo(user, campaign, 'start');
  const leads = await until(async () => {
    // Pauses between attempts are left out.
    await database().query(
      `UPDATE leads SET due_at = now() WHERE campaign_id = $1 AND status = 'rescheduled' AND due_at > now() + interval '1 minute'`,
      [campaign],
    );
    const { status, body } = await user.client.get<TestLead[]>(`/user/leads?campaign_id=${campaign}`);
    // 503: the database of a busy machine did not answer in time.
    if (status !== 200) return null;
    const isOver = body.every((lead) => !['created', 'processing', 'rescheduled'].includes(lead.status));
    return isOver && body;
  }, SLOW_MACHINE_MS);
  const { rows } = await database().query<{ to: string; n: number }>(
    'SELECT client_phone_number AS "to", count(*)::int AS n FROM calls WHERE campaign_id = $1 GROUP BY 1',
    [campaign],
  );
  const calls = new Map(rows.map(({ to, n }) => [to, n]));
  return new Map(
    leads.map(({ phone_number: number, status, last_outcome }) => [
      number.slice(-4),
      `${status} ${last_outcome} ${calls.get(number) ?? 0}`,
    ]),
  );
}

describe('what becomes of a lead', () => {
  let results: Map<string, string>[];
  beforeAll(async () => {
    results = await Promise.all(rules.map(run));
  }, SLOW_MACHINE_MS);

  const cases = Object.entries(CALLEES).flatMap(([kind, callees]) =>
    callees.split(' ').map((digits) => [kind as keyof typeof KINDS, digits] as const),
  );
  it.each(cases)('%s: %s', (kind, digits) => {
    const expected = rules.map((rule, index) => [rule, KINDS[kind][index]] as const);
    const seen = expected.map(([rule, wanted = ''], index) => {
      const result = results[index]?.get(digits);
      return [rule, result?.startsWith(wanted) ? wanted : result];
    });
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
  });
});
