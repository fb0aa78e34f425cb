/** A file of test/scenarios as it is written; docs/build/scenarios.md explains each field. */

/** `800ms`, `2s` or `5min`. */
export type Span = string;
/** What a text must be: the text itself, or a regular expression between slashes. */
export type TextRule = string;

export const VARIANTS = ['ordinary', 'none', 'hostile'] as const;
/** Which speaking events the line sends. */
export type Variant = (typeof VARIANTS)[number];
export const AUDIO_LINES = ['audio', 'difficult'] as const;
/**
 * What carries the call: a relay, or audio with a realtime model at its other end (multimodal mode), whose words and
 * marks are late and wrong where it is `difficult`.
 */
export type Line = Variant | (typeof AUDIO_LINES)[number];

export const MOMENTS = [
  'assistant speaks',
  'assistant has spoken',
  'model is asked',
  'tool starts',
  'person is called',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** What the person does whom the call is handed over to. */
export type PersonStep = 'answers' | 'leaves' | 'busy' | 'no-answer' | 'failed';

/** One event of the script. Exactly one of the fields after `plus` says what happens. */
export interface Step {
  /** Since the call was answered. */
  at?: Span;
  /** Since the step before, or when this happens for the first time after it. */
  after?: Span | Moment;
  plus?: Span;
  customer?: string;
  /** How long the customer speaks, 1 s unless told. */
  takes?: Span;
  /** Instead of the call's `words_after`. */
  words_after?: Span | 'never';
  noise?: Span;
  keys?: string;
  hangs_up?: true;
  machine?: string;
  line_error?: number;
  person?: PersonStep;
  /** A frame as the carrier sends it; text is sent as it is. */
  frame?: Record<string, unknown> | string;
}

export type ModelStep =
  | { say: string }
  | { wait: Span }
  | { call: string; with?: Record<string, unknown> | string }
  | { fails: 'retryable' | 'final' };

export interface ToolAnswer {
  takes?: Span;
  status?: number;
  body?: unknown;
  /** No answer comes. */
  refused?: true;
}

export interface SaidRule {
  text: TextRule;
  cut?: boolean;
  /** BCP 47: in which the carrier spoke it. */
  language?: string;
  /** `2s..3s`: when the customer hears its beginning. */
  begins?: string;
}

export interface AskedRule {
  model?: TextRule;
  temperature?: number;
  system?: TextRule;
  /** Names and descriptions of the functions that the model may call. */
  tools?: Record<string, TextRule>;
  /** The last messages, e.g. `customer: Hello`. */
  ends?: TextRule[];
}

export interface ToolRunRule {
  name: string;
  arguments?: Record<string, unknown>;
  ok?: boolean;
  answer?: TextRule;
  request?: { method?: string; url?: string; headers?: Record<string, string>; body?: unknown };
}

export interface Expectations {
  said?: (TextRule | SaidRule)[];
  transcript?: TextRule[];
  /** The transcript's lines of the assistant are exactly what the customer heard. */
  heard_is_stored?: true;
  ended?: { by?: string; reason?: string; status?: string; answered_by?: string; at?: string };
  answered_within?: Span;
  /** Keys that the assistant pressed, and that it did not talk over. */
  keys?: { digits: string; at?: string }[];
  tool_runs?: ToolRunRule[];
  /** Attributes of the first answer document by `Element.attribute`; null: absent. */
  rendered?: Record<string, TextRule | number | boolean | null>;
  /** The same of the last document, after a lost socket. */
  rendered_last?: Record<string, TextRule | number | boolean | null>;
  documents?: number;
  settings_not_applied?: string[];
  asked?: AskedRule[];
  suppressed?: boolean;
  /** When the customer is to be called again: ISO 8601 in UTC. */
  callbacks?: string[];
  transfers?: { to: string; status: string }[];
  placed?: Record<string, TextRule | number | boolean | null>;
  evaluation?: { model: string; schema: Record<string, string> } | null;
  webhooks?: { event: string; url: string; recording?: boolean }[];
  assistant?: Record<string, unknown>;
}

export interface CallFacts {
  direction: 'outbound' | 'inbound';
  customer: string;
  assistant: string;
  variables: Record<string, unknown>;
  answered_at: string;
  disclosure: boolean;
  /** The call is made for a lead, or comes from one with the variable `name`. */
  lead: boolean;
  /** What the network says of the number of an inbound call, e.g. `TN-Validation-Passed-A`. */
  attestation?: string;
  /** Whole minutes that the balance pays for; null: any number. */
  paid_minutes: number | null;
  outcome: 'answered' | 'busy' | 'no-answer' | 'failed';
  /** The relay fails with this code before the first socket is open. */
  first_error: number | null;
  /** The relay refuses every document that names this voice attribute (64101). */
  refuses_voice: boolean;
  ms_per_character: number;
  /** Between a text and the beginning of its speech. */
  speech_delay: Span;
  /** Between the end of an utterance of the customer and its words; null: the line's default. */
  words_after: Span | null;
  /** Between a word of the customer and its interim result. */
  interim_after: Span | 'never';
  /** Every second interim word is another one than was said. */
  interim_wrong: boolean;
  /** Audio lines: how late marks come back. */
  marks_after: Span;
  /** Audio lines: marks come back twice. */
  marks_twice: boolean;
  until: Span;
}

/** The knowledge base of the assistant; its id is 1. */
export interface ScenarioDocuments {
  name: string;
  description?: string;
  passages: { document: string; text: string }[];
  /** How long a search takes. */
  takes?: Span;
}

export interface Scenario {
  name: string;
  file: string;
  pending?: string;
  except?: Partial<Record<Line, string>>;
  assistant: Record<string, unknown>;
  call: CallFacts;
  tools: Record<string, unknown>[];
  tool_answers: Record<string, ToolAnswer | ToolAnswer[]>;
  knowledge?: ScenarioDocuments;
  script: Step[];
  model: (string | ModelStep[])[];
  expect: Expectations;
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, min: 60_000 };

/** Milliseconds. */
export function milliseconds(span: Span): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|min)$/.exec(span) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined) throw new Error(`"${span}" is no time such as 800ms, 2s or 5min`);
  return Number(amount) * factor;
}

/** Both ends of `2s..3s`, in milliseconds. */
export function range(text: string): [number, number] {
  const [from = '', until = ''] = text.split('..');
  return [milliseconds(from), milliseconds(until)];
}
