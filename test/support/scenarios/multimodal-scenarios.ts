import {
  range,
  type CallFacts,
  type Expectations,
  type Line,
  type SaidRule,
  type Scenario,
} from './scenario.types.js';
import { SHIPPED_CATALOGUE } from './shipped-catalogue.js';

export const REALTIME_MODEL = 'gpt-realtime-2.1';
/** Writes what the realtime model cannot. */
const WRITER = SHIPPED_CATALOGUE.fallbackOf(REALTIME_MODEL)?.name ?? '';

/** Whether a scenario is about the relay itself: its frames, its errors, its voices. */
export const speaksOfRelay = ({ script, call }: Scenario): boolean =>
  call.first_error !== null ||
  call.refuses_voice ||
  script.some(({ frame, line_error: error }) => frame !== undefined || error !== undefined);

export const isAudio = (line: Line): boolean => line === 'audio' || line === 'difficult';

/** Of a difficult line: words are so late, where the scenario does not set its own time … */
const WORDS_AFTER_MS = 1_200;
const TRAITS: Partial<CallFacts> = {
  interim_after: '300ms',
  interim_wrong: true,
  marks_after: '300ms',
  marks_twice: true,
};

/** The scenario with the traits of the line, and with what holds there. */
export function onLine(scenario: Scenario, line: Line): Scenario {
  if (!isAudio(line)) return scenario;
  const expect = inMultimodalMode(scenario.expect);
  if (line === 'audio') return { ...scenario, expect };
  const words_after = scenario.call.words_after ?? `${WORDS_AFTER_MS}ms`;
  return {
    ...scenario,
    call: { ...scenario.call, ...TRAITS, words_after },
    expect: withLaterPeriods(expect),
  };
}

/** … and what follows them may be later by that. */
function withLaterPeriods(expect: Expectations): Expectations {
  const { said, ended, keys } = expect;
  const later = (period: string): string => {
    const [from, until] = range(period);
    return `${from}ms..${until + WORDS_AFTER_MS}ms`;
  };
  const one = (rule: SaidRule): SaidRule => ({
    ...rule,
    ...(rule.begins !== undefined && { begins: later(rule.begins) }),
  });
  return {
    ...expect,
    ...(said && { said: said.map((rule) => (typeof rule === 'string' ? rule : one(rule))) }),
    ...(ended?.at !== undefined && { ended: { ...ended, at: later(ended.at) } }),
    ...(keys && { keys: keys.map(({ digits, at }) => ({ digits, ...(at && { at: later(at) }) })) }),
  };
}

/** Why a scenario has to fail on a line; undefined: it has to hold. */
export const exceptionOn = ({ except }: Scenario, line: Line): string | undefined =>
  except?.[line] ?? (line === 'difficult' ? except?.audio : undefined);

/** What holds in multimodal mode: not the attributes of the relay, nor the chat model and its settings. */
function inMultimodalMode(expect: Expectations): Expectations {
  const { rendered: _first, rendered_last: _last, settings_not_applied: _names, ...rest } = expect;
  const { asked, evaluation } = rest;
  return {
    ...rest,
    ...(asked && { asked: asked.map(({ model: _model, temperature: _temperature, ...rule }) => rule) }),
    ...(evaluation && { evaluation: { ...evaluation, model: WRITER } }),
  };
}
