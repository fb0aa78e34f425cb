import type { ClientEvent, SessionUpdate } from './realtime-events.js';
import { RealtimeError } from './realtime-error.js';

/** Allowed values: `fields` of an object, `items` of a list, values, or a check with the name of the type. */
type Rule = (value: unknown, path: string) => void;

const wrongType = (path: string, type: string): RealtimeError =>
  new RealtimeError(`Invalid type for '${path}': expected ${type}.`, 'invalid_type', path);
const wrongValue = (path: string, why: string): RealtimeError =>
  new RealtimeError(`Invalid value: '${path}' ${why}.`, 'invalid_value', path);

const text: Rule = (value, path) => {
  if (typeof value !== 'string') throw wrongType(path, 'a string');
};
const flag: Rule = (value, path) => {
  if (typeof value !== 'boolean') throw wrongType(path, 'a boolean');
};
const anything: Rule = () => undefined;

const number =
  (min: number, max: number, whole = false): Rule =>
  (value, path) => {
    if (typeof value !== 'number') throw wrongType(path, 'a number');
    if (whole && !Number.isInteger(value)) throw wrongType(path, 'an integer');
    if (value < min || value > max) throw wrongValue(path, `must be between ${min} and ${max}`);
  };

const oneOf =
  (...values: string[]): Rule =>
  (value, path) => {
    if (!values.includes(String(value))) throw wrongValue(path, `must be one of ${values.join(', ')}`);
  };

const orNull =
  (rule: Rule): Rule =>
  (value, path) => {
    if (value !== null) rule(value, path);
  };

const list =
  (rule: Rule): Rule =>
  (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, 'an array');
    for (const [index, item] of value.entries()) rule(item, `${path}[${index}]`);
  };

/** Fields that end in `!` are required; unlisted fields are refused. */
const fields = (shape: Record<string, Rule>): Rule => {
  const rules = new Map(Object.entries(shape).map(([name, rule]) => [name.replace('!', ''), rule]));
  const required = Object.keys(shape).filter((name) => name.endsWith('!'));
  return (value, path) => {
    if (typeof value !== 'object' || value === null) throw wrongType(path, 'an object');
    const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
    for (const name of required.map((one) => one.slice(0, -1))) {
      if (Object.hasOwn(value, name)) continue;
      const missing = within(name);
      throw new RealtimeError(
        `Missing required parameter: '${missing}'.`,
        'missing_required_parameter',
        missing,
      );
    }
    for (const [name, one] of Object.entries(value)) {
      const rule = rules.get(name);
      const known = within(name);
      if (!rule) throw new RealtimeError(`Unknown parameter: '${known}'.`, 'unknown_parameter', known);
      rule(one, known);
    }
  };
};

const outputTokens: Rule = (value, path) =>
  value === 'inf' ? undefined : number(1, 4096, true)(value, path);
const toolChoice: Rule = (value, path) =>
  typeof value === 'string'
    ? oneOf('auto', 'none', 'required')(value, path)
    : fields({ 'type!': oneOf('function'), 'name!': text })(value, path);
const tools = list(
  fields({ 'type!': oneOf('function'), 'name!': text, description: text, parameters: anything }),
);
const format: Rule = (value, path) => {
  fields({ 'type!': oneOf('audio/pcm', 'audio/pcmu', 'audio/pcma'), rate: number(24_000, 24_000) })(
    value,
    path,
  );
  const { type, rate } = value as { type: string; rate?: number };
  if ((type === 'audio/pcm') !== (rate !== undefined))
    throw wrongValue(`${path}.rate`, `does not suit ${type}`);
};

const detection: Rule = (value, path) => {
  const common = {
    'type!': oneOf('server_vad', 'semantic_vad'),
    create_response: flag,
    interrupt_response: flag,
  };
  const isServer = (value as { type?: string }).type === 'server_vad';
  const own: Record<string, Rule> = isServer
    ? {
        threshold: number(0, 1),
        prefix_padding_ms: number(0, 10_000, true),
        silence_duration_ms: number(0, 10_000, true),
        idle_timeout_ms: orNull(number(5_000, 30_000, true)),
      }
    : { eagerness: oneOf('low', 'medium', 'high', 'auto') };
  fields({ ...common, ...own })(value, path);
};

/** Of models that reason; others refuse both. */
const REASONING_FIELDS = ['reasoning', 'parallel_tool_calls'] as const;
/** Since the second generation. */
const REASONS = /^gpt-realtime-2/;
/** They use `languages`, earlier ones `language`. */
const TAKES_LANGUAGES = /^gpt-(live-)?transcribe/;

/** They stream words while one speaks, and need commits by the client. */
const WITHOUT_TURNS = /^gpt-(live-transcribe|realtime-whisper)/;

const transcription: Rule = (value, path) => {
  const model = String((value as { model?: unknown }).model);
  const own: Record<string, Rule> = TAKES_LANGUAGES.test(model)
    ? { languages: list(text), keywords: list(text) }
    : { language: text };
  fields({ model: text, prompt: text, ...own })(value, path);
};

const session = fields({
  'type!': oneOf('realtime'),
  instructions: text,
  tools,
  tool_choice: toolChoice,
  output_modalities: list(oneOf('audio', 'text')),
  max_output_tokens: outputTokens,
  include: list(text),
  tracing: anything,
  truncation: anything,
  reasoning: fields({ effort: oneOf('minimal', 'low', 'medium', 'high', 'xhigh') }),
  parallel_tool_calls: flag,
  audio: fields({
    input: fields({
      format,
      noise_reduction: orNull(fields({ type: oneOf('near_field', 'far_field') })),
      transcription: orNull(transcription),
      turn_detection: orNull(detection),
    }),
    output: fields({ format, voice: text, speed: number(0.25, 1.5) }),
  }),
});

const item: Rule = (value, path) => {
  const type = (value as { type?: unknown } | null)?.type;
  const common = {
    id: text,
    'type!': oneOf('message', 'function_call', 'function_call_output'),
    status: text,
  };
  if (type === 'message') {
    const role = (value as { role?: unknown }).role;
    const kinds = role === 'assistant' ? ['output_text', 'output_audio'] : ['input_text', 'input_audio'];
    const content = list(fields({ 'type!': oneOf(...kinds), text, transcript: text, audio: text }));
    fields({ ...common, 'role!': oneOf('user', 'assistant', 'system'), 'content!': content })(value, path);
  } else if (type === 'function_call') {
    fields({ ...common, call_id: text, 'name!': text, 'arguments!': text })(value, path);
  } else fields({ ...common, 'call_id!': text, 'output!': text })(value, path);
};

const metadata: Rule = (value, path) => {
  for (const [key, one] of Object.entries(value as object)) {
    if (key.length > 64 || typeof one !== 'string' || one.length > 512)
      throw wrongValue(`${path}.${key}`, 'must be a string of at most 512 characters');
  }
};

const response = fields({
  conversation: oneOf('auto', 'none'),
  instructions: text,
  input: list(item),
  tools,
  tool_choice: toolChoice,
  metadata: orNull(metadata),
  max_output_tokens: outputTokens,
  output_modalities: list(oneOf('audio', 'text')),
  audio: fields({ output: fields({ format, voice: text }) }),
});

const event = (shape: Record<string, Rule>): Rule => fields({ 'type!': text, event_id: text, ...shape });

const EVENTS: Record<ClientEvent['type'], Rule> = {
  'session.update': event({ 'session!': session }),
  'input_audio_buffer.append': event({ 'audio!': text }),
  'input_audio_buffer.commit': event({}),
  'input_audio_buffer.clear': event({}),
  'conversation.item.create': event({ 'item!': item, previous_item_id: orNull(text) }),
  'conversation.item.truncate': event({
    'item_id!': text,
    'content_index!': number(0, 0),
    'audio_end_ms!': number(0, Infinity, true),
  }),
  'conversation.item.delete': event({ 'item_id!': text }),
  'response.create': event({ response }),
  'response.cancel': event({ response_id: text }),
};

/** @throws RealtimeError for events that the real endpoint refuses with this model, unknown fields included */
export function checkedEvent(value: unknown, model: string): ClientEvent {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type))
    throw new RealtimeError(`Invalid value: '${String(type)}'.`, 'invalid_value', 'type');
  EVENTS[type as ClientEvent['type']](value, '');
  const given = (value as { session?: object }).session ?? {};
  const { transcription: transcribed, turn_detection: detected } =
    (given as SessionUpdate).audio?.input ?? {};
  if (transcribed && detected && WITHOUT_TURNS.test(transcribed.model)) {
    const message = 'Turn detection is not supported for this transcription model.';
    throw new RealtimeError(message, 'invalid_value', 'session.audio.input.turn_detection');
  }
  for (const name of REASONING_FIELDS) {
    const param = `session.${name}`;
    if (Object.hasOwn(given, name) && !REASONS.test(model))
      throw new RealtimeError(`Unsupported parameter: '${param}'.`, 'unsupported_parameter', param);
  }
  return value as ClientEvent;
}
