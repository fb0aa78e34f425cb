import { beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, type CallRecord } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { journalOf } from '../support/sandbox.js';
import { until } from '../support/until.js';

const MENU = '+15005550036';
const SCREENING = '+15005550050';
const WANTS_CALLBACK = '+15005550051';

interface Turn {
  role: string;
  tool?: { name: string; arguments: Record<string, unknown>; status: string };
}

let user: TestAccount;
let assistant: number;

beforeAll(async () => {
  user = await anAccount({ plan: 'unlimited' });
  assistant = await anAssistant(user, {
    post_call_evaluation: false,
    timezone: 'America/New_York',
    system_prompt: 'You make appointments for the Morgan family.',
  });
});

const completed = (id: number) => callWhen(user, id, ({ status }) => status === 'completed');

const toolsOf = async (id: number) => {
  const { body } = await user.client.get<{ data: { turns: Turn[] } }>(`/user/calls/${id}/turns`);
  return body.data.turns.flatMap(({ tool }) => tool ?? []);
};

/** What the callee said and heard, as the transcript has to have it; nothing may have been refused. */
async function spoken(id: number) {
  const { rows } = await database().query<{ sid: string }>(
    'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
    [id],
  );
  const journal = await journalOf(rows[0]?.sid ?? '');
  expect(journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
  const speech = journal.filter(({ kind }) => kind === 'speech');
  return {
    keys: speech.flatMap(({ key }) => key ?? []),
    lines: speech
      .filter(({ reported, heard }) => reported ?? heard)
      .map(
        ({ who, text, heard = text }) =>
          `${who === 'assistant' ? 'AI' : 'Customer'}: ${String(heard).trim()}`,
      ),
  };
}

const linesOf = (call: CallRecord): string[] => String(Reflect.get(call, 'transcript')).split('\n');

/**
 * The same lines of each side in the same order. A menu reads on while the assistant speaks, and a person who was
 * answered with a notice alone speaks when the rest of the answer comes: which of two that speak at once came first is
 * a matter of where one counts from.
 */
function expectSameLines(stored: string[], lines: string[]): void {
  for (const who of ['AI: ', 'Customer: ']) {
    const by = (line: string) => line.startsWith(who);
    expect(stored.filter(by)).toEqual(lines.filter(by));
  }
}

it.concurrent('gets through a menu of three levels to a person', async () => {
  const id = await aCall(user, assistant, { phoneNumber: MENU });
  const call = await completed(id);
  // Detection took it for a machine; as a call with a mailbox it would be repeated.
  expect(call).toMatchObject({ answered_by: 'unknown', ended_by: expect.not.stringMatching('system') });
  const { keys, lines } = await spoken(id);
  expect(keys).toEqual(['2', '3', '0']);
  expectSameLines(linesOf(call), lines);
  expect(lines).toContain('Customer: Hello, this is Alex Morgan speaking. May I ask what this is about?');
  expect(lines).not.toContain('Customer: I am sorry, that is not one of the choices.');
  const pressed = (await toolsOf(id)).filter(({ name }) => name === 'send_digits');
  expect(pressed.every(({ status }) => status === 'ok')).toBe(true);
  const sent = pressed.map((tool) => tool.arguments.digits).filter((digits) => digits !== 'w');
  expect(sent).toEqual(['2', '3', '0']);
});

it.concurrent('reports the caller to call screening, waits, and greets the person', async () => {
  const id = await aCall(user, assistant, { phoneNumber: SCREENING });
  const call = await completed(id);
  const { lines } = await spoken(id);
  expectSameLines(linesOf(call), lines);
  expect(call).toMatchObject({ answered_by: 'human', ended_by: expect.not.stringMatching('system') });
  const connected = lines.indexOf(
    'Customer: Hello, this is Alex Morgan speaking. May I ask what this is about?',
  );
  // Until then they take turns.
  expect(linesOf(call).slice(0, connected + 1)).toEqual(lines.slice(0, connected + 1));
  expect(lines[connected - 1]).toBe('Customer: Thanks. Please stay on the line.');
  expect(lines[connected - 2]).toMatch(/^AI: This is the assistant Ada/);
  expect(lines.slice(connected).join(' ')).toContain('AI: Hello, this is the assistant Ada');
  const steps = (await toolsOf(id)).filter(({ name }) => name === 'call_screening');
  expect(steps.map((tool) => tool.arguments.step)).toEqual(['asked', 'connected']);
});

it.concurrent('calls a lead again when it requests that', async () => {
  const campaign = await aCampaign(user, { assistant_id: assistant });
  const lead = await aLead(user, campaign, { phone_number: WANTS_CALLBACK });
  await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'start' });
  const id = await until(async () => {
    const { rows } = await database().query<{ id: number }>('SELECT id FROM calls WHERE lead_id = $1', [
      lead.id,
    ]);
    return rows[0]?.id ?? null;
  });
  const call = await completed(id);
  const { lines } = await spoken(id);
  expect(linesOf(call)).toEqual(lines);
  const [tool] = (await toolsOf(id)).filter(({ name }) => name === 'schedule_callback');
  expect(tool).toMatchObject({ status: 'ok', arguments: { timezone: 'America/New_York' } });
  expect(lines.join(' ')).toMatch(/Then I will call you again on \w+day, .+ at 3 PM/);
  // The end of the call has been settled: neither completed nor due for a retry.
  await until(async () => {
    const { rows } = await database().query(
      'SELECT 1 FROM call_attempts WHERE call_id = $1 AND outcome IS NOT NULL',
      [id],
    );
    return rows.length > 0;
  });
  const { rows } = await database().query<{ status: string; local: string; days: number; isNamed: boolean }>(
    `SELECT status, to_char(due_at AT TIME ZONE 'America/New_York', 'HH24:MI') AS local,
            (due_at AT TIME ZONE 'America/New_York')::date - (now() AT TIME ZONE 'America/New_York')::date AS days,
            zone = '*!' || extract(epoch FROM due_at)::bigint AS "isNamed"
       FROM leads WHERE id = $1`,
    [lead.id],
  );
  expect(rows).toEqual([{ status: 'scheduled', local: '15:00', days: 1, isNamed: true }]);
});
