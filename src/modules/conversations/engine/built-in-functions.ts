import { canonicalZone } from '#src/common/time/time.js';
import { localTime, zonedTime } from '#src/common/time/zoned-time.js';
import {
  type BuiltInFunction,
  SCHEDULE_CALLBACK,
  SEND_DIGITS,
  SWITCH_LANGUAGE,
  TRANSFER_CALL,
} from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { ConversationSettings, ConversationTool } from './conversation-settings.js';
import { knowledgeFunction, type Knowledge } from './knowledge-function.js';
import type { Speaker } from './speaker.js';
import type { SpokenLanguage } from './spoken-language.js';
import type { BookCallback, ToolOutcome } from './tool-runner.js';
import { TRANSFER_PARAMETERS, type TransferTargets } from './transfer-targets.js';

export interface FunctionDependencies {
  language: SpokenLanguage;
  speaker: Speaker;
  transfers: TransferTargets;
  settings: Pick<ConversationSettings, 'pressesKeys' | 'callback'>;
  bookCallback: BookCallback;
  clock: Clock;
  /** Documents that are searched; null: none. */
  knowledge: Knowledge | null;
}

/** The built-in functions for this call. A user's tool of the same name replaces one. */
export const builtInFunctions = (
  { language, speaker, transfers, settings, bookCallback, clock, knowledge }: FunctionDependencies,
  tools: readonly Pick<ConversationTool, 'name'>[],
): BuiltInFunction[] =>
  [
    ...(language.selectableTags.length > 0 ? [switchLanguageFunction(language)] : []),
    ...(transfers.isAvailable ? [transferCallFunction(transfers)] : []),
    ...(settings.pressesKeys ? [sendDigitsFunction(speaker)] : []),
    ...(knowledge ? [knowledgeFunction(knowledge, clock)] : []),
    ...(settings.callback ? [scheduleCallbackFunction(settings.callback.zone, bookCallback)] : []),
  ].filter(({ tool }) => !tools.some(({ name }) => name === tool.name));

const switchLanguageFunction = (language: SpokenLanguage): BuiltInFunction => ({
  tool: {
    name: SWITCH_LANGUAGE,
    description:
      'Switches voice and speech recognition to another language. Use it when the customer asks for another ' +
      'language or speaks one, before you say a word in it, and then go on in that language.',
    parameters: [{ name: 'language', type: 'string', description: 'The language, as BCP 47 tag.' }],
  },
  choices: { language: language.selectableTags },
  run: async (values) => language.switchTo(values['language']),
});

const transferCallFunction = (transfers: TransferTargets): BuiltInFunction => ({
  tool: {
    name: TRANSFER_CALL,
    description: [
      'Hands the call over to a person and takes you out of it. Use it when the customer asks for a person, or as ' +
        'the entries say. Tell the customer in the same answer whom you connect them with.',
      'Entries:',
      ...transfers.descriptions,
    ].join('\n'),
    parameters: TRANSFER_PARAMETERS,
  },
  choices: { to: transfers.names },
  // A call with a valid target ends the turn before this.
  run: async () => failure(transfers.errorText),
});

/** Supported by every carrier: keys, and pauses of half a second. */
const DIGITS = /^[0-9*#w]{1,32}$/;

const sendDigitsFunction = (speaker: Speaker): BuiltInFunction => ({
  tool: {
    name: SEND_DIGITS,
    description:
      'Presses keys of the telephone. Use it when a recorded menu answers: do not talk to the menu, press the key ' +
      'that leads to what this call is about or to a person. It goes on by itself, so say nothing with this call ' +
      'or about it; until the menu has named the right key, press only "w", which waits.',
    parameters: [
      {
        name: 'digits',
        type: 'string',
        description: 'The keys in order: 0 to 9, * and #; w is a pause of half a second. At most 32.',
      },
    ],
  },
  waitsForCustomer: true,
  run: async ({ digits }) => {
    if (typeof digits !== 'string' || !DIGITS.test(digits))
      return failure('The keys must be 1 to 32 of the characters 0 to 9, *, # and w. Nothing was pressed.');
    const durationMs = await speaker.sendKeys(digits);
    return { ok: true, result: { sent: digits }, durationMs, statusCode: null };
  },
});

const PROBLEMS = {
  past: 'That time is over. Ask the customer for one in the future. Nothing is scheduled.',
  far: 'That is more than 90 days ahead. Ask the customer for an earlier time. Nothing is scheduled.',
  gone: 'The customer is on no list any more. Nothing is scheduled; do not promise a call.',
} as const;

/** @param zone the customer's, as far as it is known */
const scheduleCallbackFunction = (zone: string | null, agree: BookCallback): BuiltInFunction => ({
  tool: {
    name: SCHEDULE_CALLBACK,
    description:
      'Has the customer called again at an agreed time. Use it when the customer has no time now and names a day ' +
      'and a time; ask for what is missing. Promise the call only when this succeeded, and say day and time back.',
    parameters: [
      {
        name: 'local_time',
        type: 'string',
        description: "The time on the customer's clock, without a zone: YYYY-MM-DDTHH:MM.",
      },
      {
        name: 'timezone',
        type: 'string',
        description: zone
          ? `The customer's time zone: ${zone}, unless the customer says to be elsewhere. An IANA name.`
          : "The customer's time zone, as IANA name. It is not known: ask where the customer is.",
      },
    ],
  },
  run: async ({ local_time: local, timezone }) => {
    const place = canonicalZone(String(timezone));
    if (place === null) return failure('There is no such time zone. Ask where the customer is.');
    const at = zonedTime(String(local), place);
    if (at === null) return failure('There is no such time. Write it as YYYY-MM-DDTHH:MM.');
    const problem = await agree(at);
    if (problem) return failure(PROBLEMS[problem]);
    const { weekday, date, time } = localTime(at, place);
    const result = { scheduled: `${weekday}, ${date} at ${time}`, timezone: place };
    return { ok: true, result, durationMs: 0, statusCode: null };
  },
});

const failure = (error: string): ToolOutcome => ({ ok: false, error, durationMs: 0, statusCode: null });
