import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

/** Callees of the sandbox. */
const INVALID = '+15005550001';
const UNROUTABLE = '+15005550002';
const BUSY = '+15005550003';
const NO_ANSWER = '+15005550004';
const VOICEMAIL = '+15005550005';
const POLITE = '+15005550020';
const SILENT = '+15005550022';
const HANGS_UP = '+15005550023';
const OPTS_OUT = '+15005550024';

const ONCE = { max_retries: 1 };
const TWICE = { max_retries: 2 };
const GOAL = { retry_on_goal_incomplete: true, goal_completion_variable: 'status' };
const VOICEMAIL_AGAIN = { retry_on_voicemail: true };

interface Case {
  to: string;
  rules: Record<string, unknown>;
  contacts?: string[];
  suppressed?: string;
  status: string;
  outcome: string | null;
  /** Calls to the main number and to each contact. */
  calls: number[];
}

const completed = (outcome: string, ...calls: number[]) => ({ status: 'completed', outcome, calls });
const exhausted = (outcome: string, ...calls: number[]) => ({
  status: 'reached-max-retries',
  outcome,
  calls,
});

const CASES: Record<string, Case> = {
  busy: { to: BUSY, rules: ONCE, ...exhausted('busy', 1) },
  'busy, two attempts': { to: BUSY, rules: TWICE, ...exhausted('busy', 2) },
  'no answer': { to: NO_ANSWER, rules: ONCE, ...exhausted('no-answer', 1) },
  unroutable: { to: UNROUTABLE, rules: ONCE, ...exhausted('failed', 1) },
  'unroutable, two attempts': { to: UNROUTABLE, rules: TWICE, ...exhausted('failed', 2) },
  'invalid is not tried twice': { to: INVALID, rules: TWICE, ...exhausted('invalid_number', 1) },
  voicemail: { to: VOICEMAIL, rules: TWICE, ...completed('machine', 1) },
  'voicemail with a goal': { to: VOICEMAIL, rules: { ...ONCE, ...GOAL }, ...exhausted('machine', 1) },
  'voicemail to be retried': {
    to: VOICEMAIL,
    rules: { ...ONCE, ...VOICEMAIL_AGAIN },
    ...exhausted('machine', 1),
  },
  'voicemail to be retried, two attempts': {
    to: VOICEMAIL,
    rules: { ...TWICE, ...VOICEMAIL_AGAIN },
    ...exhausted('machine', 2),
  },
  'polite, no goal': { to: POLITE, rules: TWICE, ...completed('completed', 1) },
  'polite, goal reached': { to: POLITE, rules: { ...TWICE, ...GOAL }, ...completed('completed', 1) },
  'opts out': { to: OPTS_OUT, rules: TWICE, status: 'blacklisted', outcome: 'opted_out', calls: [1] },
  'opts out, voicemail and a missed goal to be retried': {
    to: OPTS_OUT,
    rules: { ...TWICE, ...GOAL, ...VOICEMAIL_AGAIN },
    status: 'blacklisted',
    outcome: 'opted_out',
    calls: [1],
  },
  'opts out, goal missed, with a contact': {
    to: OPTS_OUT,
    rules: { ...TWICE, ...GOAL },
    contacts: [POLITE],
    status: 'blacklisted',
    outcome: 'opted_out',
    calls: [1, 0],
  },
  'hangs up, no goal': { to: HANGS_UP, rules: TWICE, ...completed('completed', 1) },
  'hangs up, goal missed': { to: HANGS_UP, rules: { ...ONCE, ...GOAL }, ...exhausted('goal_incomplete', 1) },
  'hangs up, goal missed, two attempts': {
    to: HANGS_UP,
    rules: { ...TWICE, ...GOAL },
    ...exhausted('goal_incomplete', 2),
  },
  'silent, no goal': { to: SILENT, rules: ONCE, ...completed('completed', 1) },
  'silent, goal missed': { to: SILENT, rules: { ...ONCE, ...GOAL }, ...exhausted('goal_incomplete', 1) },
  'busy, then its contact': { to: BUSY, rules: ONCE, contacts: [POLITE], ...completed('completed', 1, 1) },
  'busy, and its contacts are not reached': {
    to: BUSY,
    rules: ONCE,
    contacts: [UNROUTABLE, HANGS_UP],
    ...completed('completed', 1, 1, 1),
  },
  'invalid, then its contact': { to: INVALID, rules: ONCE, contacts: [BUSY], ...exhausted('busy', 1, 1) },
  'invalid, two attempts each: its contact follows at once': {
    to: INVALID,
    rules: TWICE,
    contacts: [BUSY],
    ...exhausted('busy', 1, 2),
  },
  'goal missed, then its contact reaches it': {
    to: HANGS_UP,
    rules: { ...ONCE, ...GOAL },
    contacts: [POLITE],
    ...completed('completed', 1, 1),
  },
  suppressed: {
    to: BUSY,
    rules: ONCE,
    suppressed: BUSY,
    status: 'blacklisted',
    outcome: 'suppressed',
    calls: [0],
  },
  'suppressed, its contact is called': {
    to: BUSY,
    rules: ONCE,
    contacts: [POLITE],
    suppressed: BUSY,
    ...completed('completed', 0, 1),
  },
};

type Result = Pick<Case, 'status' | 'outcome' | 'calls'> & {
  /** The main number is remembered as impossible. */
  isInvalid: boolean | undefined;
};

/** In an account of its own: an account calls a number once at a time. Pauses between attempts are left out. */
async function run({ to, rules, contacts = [], suppressed }: Case): Promise<Result> {
  const user = await anAccount();
  // A person whom a busy machine keeps waiting is not given up.
  const limits = to === SILENT ? { max_silence_duration: 1 } : {};
  const assistant_id = await anAssistant(user, { ringing_time: 5, ...limits });
  if (suppressed) await user.client.post('/user/suppressions', { phone_number: suppressed });
  const campaign_id = await aCampaign(user, { ...rules, assistant_id });
  const { id } = await aLead(user, campaign_id, {
    phone_number: to,
    secondary_contacts: contacts.map((phone_number) => ({ phone_number })),
  });
  await user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
  const lead = await until(async () => {
    const { body } = await user.client.get<{ data: TestLead }>(`/user/leads/${id}`);
    if (body.data.status === 'rescheduled')
      await database().query(
        `UPDATE leads SET due_at = now() WHERE id = $1 AND status = 'rescheduled' AND due_at > now() + interval '1 minute'`,
        [id],
      );
    return ['created', 'processing', 'rescheduled'].includes(body.data.status) ? null : body.data;
  });
  const { rows } = await database().query<{ to: string }>(
    'SELECT client_phone_number AS "to" FROM calls WHERE lead_id = $1',
    [id],
  );
  const calls = [to, ...contacts].map((number) => rows.filter((call) => call.to === number).length);
  const stored = await database().query<{ invalid: boolean }>(
    'SELECT number_invalid AS invalid FROM leads WHERE id = $1',
    [id],
  );
  return { status: lead.status, outcome: lead.last_outcome, calls, isInvalid: stored.rows[0]?.invalid };
}

describe('a lead in the end', () => {
  let results: Map<string, Promise<Result>>;

  // All at once.
  beforeAll(async () => {
    results = new Map(Object.entries(CASES).map(([title, given]) => [title, run(given)]));
    await Promise.allSettled(results.values());
  });

  it.each(Object.keys(CASES))('%s', async (title) => {
    const { to, status, outcome, calls } = CASES[title] as Case;
    const expected = { status, outcome, calls, isInvalid: to === INVALID };
    expect(await results.get(title)).toEqual(expected);
  });
});
