import { expect } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import {
  notBoolean,
  notInteger,
  notList,
  notNumber,
  notObject,
  notText,
  noUrl,
  noZone,
  outside,
  selected,
  tooLong,
  type Text,
} from './texts.js';

/** Resources that rows refer to. */
export interface Owned {
  account: TestAccount;
  tool: number;
  /** Resource of another user. */
  foreign: { phoneNumber: number; tool: number };
}

type Fields = Record<string, unknown>;

export interface AssistantRow {
  field: string;
  given: (owned: Owned) => unknown;
  /** Fields of the full shape with this value. */
  shown: (owned: Owned) => Fields;
  /** Values that creation and update refuse, with the error. */
  wrong: (owned: Owned) => [value: unknown, text: Text][];
  /** Other fields of the same request. */
  beside?: Fields;
}

const row = (
  field: string,
  given: unknown,
  shown: Fields,
  ...wrong: [value: unknown, text: Text][]
): AssistantRow => ({ field, given: () => given, shown: () => shown, wrong: () => wrong });

const flag = (field: string, given: boolean, shown: Fields = { [field]: given }): AssistantRow =>
  row(field, given, shown, ['yes', notBoolean]);

/** Rendered as a string with two decimals. */
const decimal = (field: string, given: number, max: number): AssistantRow =>
  row(field, given, { [field]: given.toFixed(2) }, [max + 0.1, outside(0, max)], ['high', notNumber]);

const sensitivity = (field: string): AssistantRow =>
  row(field, 2.5, { [field]: 2.5 }, [5.1, outside(0, 5)], [-0.1, outside(0, 5)], ['high', notNumber]);

const seconds = (field: string, shownAs: string, given: number, min: number, max: number): AssistantRow =>
  row(
    field,
    given,
    { [shownAs]: given },
    [min - 1, outside(min, max)],
    [max + 1, outside(min, max)],
    [min + 0.5, notInteger],
  );

/** Section 4.3, "Required body fields". */
export const REQUIRED_ROWS: AssistantRow[] = [
  row('assistant_name', 'Night desk', { name: 'Night desk' }, ['x'.repeat(256), tooLong(255)], [5, notText]),
  row('voice_id', 2, { voice_id: 2 }, [9999, selected], ['x', notInteger]),
  row('language', 'German', { language: 'German' }, ['Klingon', selected], ['x'.repeat(101), tooLong(100)]),
  row('llm_model', 'gpt-4.1', { llm_model_id: 2 }, ['hal-9000', selected], ['x'.repeat(101), tooLong(100)]),
  row('calls_direction', 'receive', { type: 'inbound' }, ['inbound', selected]),
  row('engine_type', 'multimodal', { mode: 'multimodal' }, ['turbo', selected]),
  row('timezone', 'Asia/Tokyo', { timezone: 'Asia/Tokyo' }, ['Mars/Olympus', noZone]),
  row('initial_message', 'Good evening.', { initial_message: 'Good evening.' }, [5, notText]),
  row('system_prompt', 'Be brief.', { system_prompt: 'Be brief.' }, [5, notText]),
];

const ANSWER = { name: 'goal_2', type: 'bool', description: 'Reached' };
const prefixed = Object.fromEntries(
  Object.entries(ANSWER).map(([key, value]) => [`post_call_schema[].${key}`, value]),
);
const END = 'When the customer says goodbye.';
const URL = 'https://example.com/calls';

/** Section 4.3, "Optional body fields". */
export const OPTIONAL_ROWS: AssistantRow[] = [
  {
    field: 'phone_number_id',
    given: ({ account }) => account.phoneNumber.id,
    shown: ({ account }) => ({ phone_number_id: account.phoneNumber.id }),
    wrong: ({ foreign }) => [
      [foreign.phoneNumber, selected],
      ['x', notInteger],
    ],
  },
  {
    field: 'tool_ids',
    given: ({ tool }) => [tool],
    shown: ({ tool }) => ({ tools: [expect.objectContaining({ id: tool })] }),
    wrong: ({ foreign, tool }) => [
      [[tool, foreign.tool], selected],
      [tool, notList],
    ],
  },
  row('caller_id_lookup', 'attested', { caller_id_lookup: 'attested' }, ['sometimes', selected]),
  row('endpoint_type', 'ai', { endpoint_type: 'ai' }, ['other', selected]),
  sensitivity('endpoint_sensitivity'),
  sensitivity('interrupt_sensitivity'),
  decimal('ambient_sound_volume', 0.25, 1),
  flag('post_call_evaluation', false),
  flag('send_webhook_only_on_completed', false),
  flag('include_recording_in_webhook', false),
  { ...flag('is_webhook_active', true), beside: { webhook_url: URL } },
  row('webhook_url', URL, { webhook_url: URL }, ['example.com', noUrl], [5, noUrl]),
  flag('use_min_interrupt_words', true, {}),
  row('min_interrupt_words', 4, { min_interrupt_words: 4 }, [11, outside(0, 10)], [1.5, notInteger]),
  row('variables', { shop: 'Velo' }, { variables: { shop: 'Velo' } }, ['shop', notObject], [[1], notObject]),
  row('post_call_schema', [prefixed], { post_call_schema: [ANSWER] }, ['goal', notList]),
  row('end_call_tool.description', END, { end_call_tool: { description: END } }, [
    'x'.repeat(501),
    tooLong(500),
  ]),
  decimal('llm_temperature', 0.4, 1),
  decimal('voice_stability', 0.35, 1),
  decimal('voice_similarity', 0.85, 1),
  row('speech_speed', 1.1, { speech_speed: '1.10' }, [0.6, outside(0.7, 1.2)], [1.3, outside(0.7, 1.2)]),
  flag('allow_interruptions', false),
  flag('filler_audios', true, { fillers: 1 }),
  seconds('re_engagement_interval', 'reengagement_interval', 45, 7, 600),
  seconds('max_call_duration', 'max_duration', 900, 20, 1200),
  seconds('max_silence_duration', 'max_silence_duration', 60, 1, 120),
  flag('end_call_on_voicemail', false, { end_call_on_voicemail: 0 }),
  flag('noise_cancellation', false, { enable_noise_cancellation: false }),
  flag('record_call', true, { record: true }),
  row('who_speaks_first', 'Customer', { wait_for_customer: true }, ['Nobody', selected]),
];
