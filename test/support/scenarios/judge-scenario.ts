import { isDeepStrictEqual } from 'node:util';
import type { ModelMessage, StreamRequest } from '#src/modules/llm/language-model.js';
import { onLine } from './multimodal-scenarios.js';
import type { Observation } from './observation.js';
import { runScenario } from './run-scenario.js';
import type { Mutation } from './mutation.js';
import {
  milliseconds,
  range,
  type AskedRule,
  type Expectations,
  type Scenario,
  type Line,
  type SaidRule,
  type TextRule,
  type ToolRunRule,
} from './scenario.types.js';
import type { Attributes } from './customer-line.js';

/** Plays a scenario. @returns a line for each expectation that does not hold, or why it could not be played */
export async function playScenario(scenario: Scenario, line: Line, mutation?: Mutation): Promise<string[]> {
  try {
    const played = onLine(scenario, line);
    return judgeScenario(played.expect, await runScenario(played, line, mutation));
  } catch (error) {
    return [`not played: ${error instanceof Error ? `${error.name} ${error.message}` : 'unknown'}`];
  }
}

/** @returns a line for each expectation that does not hold */
export function judgeScenario(expect: Expectations, seen: Observation): string[] {
  return [
    ...said(expect.said, seen),
    ...list('transcript', expect.transcript, seen.transcript),
    ...stored(expect.heard_is_stored, seen),
    ...ended(expect.ended, seen),
    ...quick(expect.answered_within, seen),
    ...keys(expect.keys, seen),
    ...toolRuns(expect.tool_runs, seen),
    ...rendered('rendered', expect.rendered, seen.documents[0]),
    ...rendered('rendered_last', expect.rendered_last, seen.documents.at(-1)),
    ...same('documents', expect.documents, seen.documents.length),
    ...same('settings_not_applied', expect.settings_not_applied, seen.settingsNotApplied),
    ...asked(expect.asked, seen),
    ...same('callbacks', expect.callbacks, seen.callbacks),
    ...same('suppressed', expect.suppressed, seen.suppressed.length > 0),
    ...same(
      'transfers',
      expect.transfers,
      seen.call?.transfers.map(({ to, status }) => ({ to, status })),
    ),
    ...members('placed', expect.placed, seen.placed),
    ...same('evaluation', expect.evaluation, evaluation(seen)),
    ...webhooks(expect.webhooks, seen),
    ...members('assistant', expect.assistant, seen.assistant),
    ...(seen.unasked > 0 ? [`model: ${seen.unasked} answers were not asked for`] : []),
  ];
}

export function matches(rule: TextRule, text: string): boolean {
  const pattern = /^\/(.*)\/$/s.exec(rule)?.[1];
  return pattern === undefined ? rule === text : new RegExp(pattern, 's').test(text);
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

function same(name: string, wanted: unknown, found: unknown): string[] {
  if (wanted === undefined || isDeepStrictEqual(wanted, found)) return [];
  return [`${name}: ${show(found)} instead of ${show(wanted)}`];
}

function list(name: string, wanted: TextRule[] | undefined, found: string[]): string[] {
  if (!wanted) return [];
  const right = wanted.length === found.length && wanted.every((rule, at) => matches(rule, found[at] ?? ''));
  return right ? [] : [`${name}: ${show(found)} instead of ${show(wanted)}`];
}

function said(rules: Expectations['said'], { said: heard }: Observation): string[] {
  if (!rules) return [];
  const wanted = rules.map((rule): SaidRule => (typeof rule === 'string' ? { text: rule } : rule));
  const right = wanted.map(({ text, cut = false, language, begins }, at) => {
    const one = heard[at];
    if (!one || one.cut !== cut || !matches(text, one.text)) return false;
    if (language !== undefined && one.language !== language) return false;
    const [from, until] = begins === undefined ? [0, Infinity] : range(begins);
    return one.begins >= from && one.begins <= until;
  });
  if (right.every(Boolean) && heard.length === wanted.length) return [];
  const told = heard.map(
    ({ text, cut, language, begins }) => `${begins} ms, ${language}: ${text}${cut ? ' (cut)' : ''}`,
  );
  return [`said: ${show(told)} instead of ${show(rules)}`];
}

function stored(rule: true | undefined, { said: heard, transcript }: Observation): string[] {
  if (!rule) return [];
  const lines = transcript.flatMap((line) => /^AI: (.*)/s.exec(line)?.[1] ?? []);
  return same(
    'heard_is_stored',
    heard.map(({ text }) => text),
    lines,
  );
}

function ended(rule: Expectations['ended'], { call, endedAt }: Observation): string[] {
  if (!rule) return [];
  const [from, until] = rule.at === undefined ? [0, Infinity] : range(rule.at);
  const inTime = rule.at === undefined || (endedAt !== null && endedAt >= from && endedAt <= until);
  return [
    ...same('ended.by', rule.by, call?.endedBy),
    ...same('ended.reason', rule.reason, call?.endedReason),
    ...same('ended.status', rule.status, call?.status),
    ...same('ended.answered_by', rule.answered_by, call?.answeredBy),
    ...(inTime ? [] : [`ended.at: ${endedAt} ms instead of ${rule.at}`]),
  ];
}

function quick(limit: string | undefined, { answerDelays }: Observation): string[] {
  if (limit === undefined) return [];
  const late = answerDelays.filter((ms) => ms > milliseconds(limit));
  if (answerDelays.length === 0) return ['answered_within: nothing was answered'];
  return late.length === 0 ? [] : [`answered_within: ${late.join(', ')} ms instead of ${limit}`];
}

function keys(rules: Expectations['keys'], { keys: pressed }: Observation): string[] {
  if (!rules) return [];
  const right = rules.every(({ digits, at }, index) => {
    const [from, until] = at === undefined ? [0, Infinity] : range(at);
    const one = pressed[index];
    return one?.digits === digits && one.at >= from && one.at <= until;
  });
  if (right && pressed.length === rules.length) return [];
  return [`keys: ${show(pressed)} instead of ${show(rules)}`];
}

function toolRuns(rules: ToolRunRule[] | undefined, seen: Observation): string[] {
  if (!rules) return [];
  const names = seen.toolRuns.map(({ toolName }) => toolName);
  return [
    ...same(
      'tool_runs',
      rules.map(({ name }) => name),
      names,
    ),
    ...rules.flatMap(({ arguments: given, ok, answer, request }, at) => {
      const run = seen.toolRuns[at];
      const sent = seen.toolRequests[at];
      const name = `tool_runs.${at}`;
      return [
        ...same(`${name}.arguments`, given, run?.arguments),
        ...same(`${name}.ok`, ok, run?.ok),
        ...(answer === undefined ? [] : list(`${name}.answer`, [answer], [run?.answer ?? ''])),
        ...same(`${name}.request.method`, request?.method, sent?.method),
        ...same(`${name}.request.url`, request?.url, sent?.url),
        ...members(`${name}.request.headers`, request?.headers, sent?.headers ?? {}),
        ...same(`${name}.request.body`, request?.body, sent?.body && JSON.parse(sent.body)),
      ];
    }),
  ];
}

function rendered(name: string, wanted: Expectations['rendered'], found: Attributes | undefined): string[] {
  return members(name, wanted, Object.fromEntries(found ?? []));
}

/** Null: absent. Numbers and booleans may be written as such. */
function members(name: string, wanted: Record<string, unknown> | undefined, found: object): string[] {
  return Object.entries(wanted ?? {}).flatMap(([key, value]) => {
    const own = (Object.hasOwn(found, key) ? Reflect.get(found, key) : null) as unknown;
    const right =
      value === null || own === null || typeof value === 'object'
        ? isDeepStrictEqual(value, own)
        : matches(String(value), String(own));
    return right ? [] : [`${name}.${key}: ${show(own)} instead of ${show(value)}`];
  });
}

function asked(rules: AskedRule[] | undefined, { asked: requests }: Observation): string[] {
  if (!rules) return [];
  return [
    ...same('asked', rules.length, requests.length),
    ...rules.flatMap((rule, at) => {
      const request = requests[at];
      return request ? askedOnce(`asked.${at}`, rule, request) : [];
    }),
  ];
}

function askedOnce(name: string, rule: AskedRule, request: StreamRequest): string[] {
  const texts = request.messages.map(lineOf);
  const tools = Object.fromEntries(request.tools.map((tool) => [tool.name, tool.description]));
  return [
    ...(rule.model === undefined ? [] : list(`${name}.model`, [rule.model], [request.model])),
    ...same(`${name}.temperature`, rule.temperature, request.temperature),
    ...(rule.system === undefined
      ? []
      : list(`${name}.system`, [rule.system], [request.messages[0]?.text ?? ''])),
    ...(rule.tools ? same(`${name}.tools`, Object.keys(rule.tools).sort(), Object.keys(tools).sort()) : []),
    ...members(`${name}.tools`, rule.tools, tools),
    ...(rule.ends ? list(`${name}.ends`, rule.ends, texts.slice(-rule.ends.length)) : []),
  ];
}

function lineOf(message: ModelMessage): string {
  if (message.role !== 'assistant') return `${message.role}: ${message.text}`;
  const calls = message.toolCalls.map((call) => `${call.name}(${call.arguments})`);
  return ['assistant:', message.text, ...calls].filter(Boolean).join(' ').trim();
}

function evaluation({ call }: Observation): Expectations['evaluation'] {
  const plan = call?.evaluationPlan;
  if (!plan) return null;
  return { model: plan.model, schema: Object.fromEntries(plan.schema.map(({ name, type }) => [name, type])) };
}

function webhooks(rules: Expectations['webhooks'], { webhooks: sent }: Observation): string[] {
  if (!rules) return [];
  const found = sent.map((one, at) =>
    rules[at]?.recording === undefined ? { event: one.event, url: one.url } : one,
  );
  return same('webhooks', rules, found);
}
