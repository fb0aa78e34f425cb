import { bodyOf, dialect, DIALECT_NAMES, type DialectName } from '../../sandbox/model/dialects.js';
import type { Decision, FunctionCall } from '../../sandbox/model/policy.js';
import type { Random } from '../support/random.js';
import { oneOf } from './odd-values.js';

type Json = Record<string, unknown>;

/** A server's response, changed. */
export interface MutatedStream {
  dialect: DialectName;
  decision: Decision;
  /** The body, cut anywhere. */
  chunks: Uint8Array[];
  /** The changes keep the content of the response; otherwise a part of it may be lost. */
  isWhole: boolean;
}

export const TOOLS = ['look_up', 'book_table', 'end_call'];

const TEXTS = [
  'We open at nine.',
  'Good morning, this is Ada. What can I do for you?',
  '2 < 3, and a_b stays [as it is].',
  'Zwölf Plätze — 12 € für Sie 😀, "gern".',
  'Ja.',
];
const CALLS: readonly FunctionCall[] = [
  { name: 'look_up', arguments: '{"day":"Monday"}' },
  { name: 'look_up', arguments: '{"day":"Tuesday"}' },
  { name: 'book_table', arguments: '{"day":"Freitag, 8 Uhr","seats":2,"note":"say \\"hi\\" {to} <Ada>"}' },
  { name: 'end_call', arguments: '{}' },
];

export function mutatedStream(random: Random): MutatedStream {
  const name = oneOf(random, DIALECT_NAMES);
  const spoken = dialect(name);
  const isWhole = random() < 0.6;
  const decision = decisionFor(random, isWhole);
  let frames = spoken.frames(decision);
  if (name !== 'one-body') {
    // Before a marker is cut into pieces: the half of a marker is ambiguous.
    if (!isWhole) frames = oneOf(random, UNKIND)(frames, random);
    for (let left = Math.floor(random() * 5); left > 0; left -= 1)
      frames = oneOf(random, KIND)(frames, random);
  }
  const pieces = endsOf(bodyOf(spoken, frames), random);
  const body = Buffer.from(isWhole ? lines(pieces.join(''), random) : pieces.join(''));
  const length = isWhole || random() < 0.5 ? body.length : Math.floor(random() * body.length);
  const sent = body.subarray(0, name === 'closing-tag' && endsInThought(body, length) ? body.length : length);
  return { dialect: name, decision, chunks: cut(sent, random), isWhole };
}

/**
 * Whether reasoning with only an end tag is cut directly after the frame with the finish reason: this is ambiguous.
 */
function endsInThought(body: Buffer, length: number): boolean {
  const sent = body.subarray(0, length).toString();
  const frames = sent.split('\n').filter((line) => line.endsWith('}'));
  const last = frames.findLast((line) => /"content":"\s*[^"\s]|"finish_reason":(?!null|"")/.test(line));
  return !sent.includes('</think>') && /"finish_reason":(?!null|""|\{|\[)/.test(last ?? '');
}

/** A part of arguments of several words may be lost undetected: then there is none. */
function decisionFor(random: Random, isWhole: boolean): Decision {
  const possible = CALLS.filter((call) => isWhole || !call.arguments.includes(' '));
  const calls = random() < 0.5 ? [] : possible.filter(() => random() < 0.4);
  return { content: calls.length > 0 && random() < 0.5 ? null : oneOf(random, TEXTS), calls };
}

type Change = (frames: Json[], random: Random) => Json[];

/** Changes that keep the content of the response. */
const KIND: readonly Change[] = [
  splitText,
  splitText,
  splitArguments,
  (frames, random) => insert(frames, structuredClone(oneOf(random, JUNK)), random),
  (frames, random) => insert(frames, structuredClone(oneOf(random, JUNK)), random),
  (frames) => frames.map((frame) => without(frame, ['id', 'created', 'model', 'object'])),
  (frames) => onChoices(frames, (choice) => without(choice, ['logprobs', 'index'])),
  (frames) => frames.map((frame) => ({ ...frame, id: 5, created: 'now', model: null, extra: { a: [1] } })),
  (frames) =>
    onChoices(frames, (choice) => ({ ...choice, index: 0, logprobs: null, content_filter_results: {} })),
  (frames) =>
    onDeltas(frames, (delta) => ({
      tool_calls: null,
      function_call: null,
      refusal: null,
      audio: {},
      ...delta,
    })),
  (frames) => frames.flatMap((frame) => (isBareEnd(frame) ? [frame, structuredClone(frame)] : [frame])),
  (frames) => frames.map((frame) => reversed(frame) as Json),
  endOnLast,
];

/** Frames without a part of a response. */
const JUNK: readonly Json[] = [
  {},
  { choices: [] },
  { choices: null },
  { choices: {} },
  { choices: [null] },
  { choices: [{}] },
  { choices: [{ delta: null }] },
  { choices: [{ delta: {} }] },
  { choices: [{ index: 0, delta: { content: null } }] },
  { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: [] }, finish_reason: '' }] },
  { choices: [{ index: 0, delta: { tool_calls: [] } }] },
  { choices: [{ index: 0, delta: { tool_calls: [null, {}] } }] },
  { choices: [{ index: 1, delta: { content: 'The customer is impatient. ' } }] },
  { choices: [{ index: '2', delta: { content: 'forty percent' } }] },
  { error: null, usage: null },
  { usage: { prompt_tokens: null } },
  { usage: 'none', x_groq: null },
  { prompt_filter_results: [{ prompt_index: 0 }], choices: [] },
];

/** Changes after which a part of the response may be missing. */
const UNKIND: readonly Change[] = [
  (frames, random) => {
    const at = Math.floor(random() * frames.length);
    return isKept(frames[at]) ? frames : frames.toSpliced(at, 1);
  },
  (frames, random) => {
    const at = Math.floor(random() * frames.length);
    const frame = frames[at];
    return frame && !isKept(frame) ? frames.toSpliced(at, 0, structuredClone(frame)) : frames;
  },
  changeField,
  changeField,
];

/** Undetectable losses: a part of arguments, the value between two tags, and the only tag of reasoning or a call. */
const isKept = (frame: Json | undefined): boolean =>
  /"arguments":"|(?:Mon|Tues)day(?:\\"\})?\\n"|\{\}\\n"|<\/think>\\n|<\|channel|functions\.|Thought:|"thought"/.test(
    JSON.stringify(frame),
  );

const OTHERS: readonly unknown[] = [null, true, 0, '', 'x', [], {}, [null], { a: 1 }];

/** Makes one field null or changes its type, except arguments of a call. */
function changeField(frames: Json[], random: Random): Json[] {
  const at = Math.floor(random() * frames.length);
  const frame = frames[at];
  if (!frame || isKept(frame)) return frames;
  const changed = structuredClone(frame);
  const fields = fieldsOf(changed);
  if (fields.length === 0) return frames;
  const { holder, key } = oneOf(random, fields);
  const other = oneOf(random, OTHERS);
  // A number is a word of a response, and may be a whole value of an argument.
  if (other === 0 && ['content', 'text'].includes(key)) return frames;
  Reflect.set(holder, key, structuredClone(other));
  return frames.with(at, changed);
}

function fieldsOf(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const named = Object.entries(value).filter(([key]) => key !== 'arguments');
  return named.flatMap(([key, inner]) => [{ holder: value, key }, ...fieldsOf(inner)]);
}

/** Not a second choice. */
const choiceOf = (frame: Json | undefined): Json | null => {
  const choices = frame?.['choices'];
  const [first] = Array.isArray(choices) ? (choices as (Json | null)[]) : [];
  return typeof first === 'object' && !(Number(first?.['index']) > 0) ? first : null;
};
const deltaOf = (frame: Json | undefined): Json | null => {
  const delta = choiceOf(frame)?.['delta'];
  return typeof delta === 'object' && delta !== null ? (delta as Json) : null;
};
const isEnd = (frame: Json): boolean => typeof choiceOf(frame)?.['finish_reason'] === 'string';

const isBareEnd = (frame: Json | undefined): boolean =>
  frame !== undefined && isEnd(frame) && Object.keys(deltaOf(frame) ?? { a: 1 }).length === 0;

function withDelta(frame: Json, delta: Json): Json {
  return { ...frame, choices: [{ ...choiceOf(frame), delta }] };
}

const onChoices = (frames: Json[], change: (choice: Json) => Json): Json[] =>
  frames.map((frame) => {
    const choice = choiceOf(frame);
    return choice ? { ...frame, choices: [change(choice)] } : frame;
  });

const onDeltas = (frames: Json[], change: (delta: Json) => Json): Json[] =>
  frames.map((frame) => {
    const delta = deltaOf(frame);
    return delta ? withDelta(frame, change(delta)) : frame;
  });

/** One frame with text becomes two. */
function splitText(frames: Json[], random: Random): Json[] {
  return splitOne(
    frames,
    random,
    (delta) => (typeof delta['content'] === 'string' ? delta['content'] : ''),
    (delta, content) => ({ ...delta, content }),
  );
}

/** One frame with arguments becomes two; the second has no name. */
function splitArguments(frames: Json[], random: Random): Json[] {
  const callOf = (delta: Json): Json =>
    Array.isArray(delta['tool_calls']) ? (delta['tool_calls'][0] as Json) : {};
  const innerOf = (delta: Json): Json => (callOf(delta)?.['function'] as Json | undefined) ?? {};
  return splitOne(
    frames,
    random,
    (delta) => (typeof innerOf(delta)['arguments'] === 'string' ? String(innerOf(delta)['arguments']) : ''),
    (delta, args, isSecond) => {
      const { index } = callOf(delta);
      const rest = { ...(index !== undefined && { index }), function: { arguments: args } };
      const first = { ...callOf(delta), function: { ...innerOf(delta), arguments: args } };
      return { tool_calls: [isSecond ? rest : first] };
    },
  );
}

function splitOne(
  frames: Json[],
  random: Random,
  read: (delta: Json) => string,
  write: (delta: Json, text: string, isSecond: boolean) => Json,
): Json[] {
  const long = frames.flatMap((frame, at) => (read(deltaOf(frame) ?? {}).length > 1 ? [at] : []));
  if (long.length === 0) return frames;
  const at = oneOf(random, long);
  const frame = frames[at] ?? {};
  const delta = deltaOf(frame) ?? {};
  const text = read(delta);
  const cutAt = 1 + Math.floor(random() * (text.length - 1));
  const parts = [text.slice(0, cutAt), text.slice(cutAt)];
  return frames.toSpliced(
    at,
    1,
    ...parts.map((part, index) => withDelta(frame, write(delta, part, index > 0))),
  );
}

/** The finish reason is in the last frame with a part of the response. */
function endOnLast(frames: Json[]): Json[] {
  const end = frames.findIndex(isEnd);
  const last = frames[end - 1];
  const choice = choiceOf(last);
  if (!last || !choice || !isBareEnd(frames[end])) return frames;
  const finish_reason = choiceOf(frames[end])?.['finish_reason'];
  return frames.toSpliced(end - 1, 2, { ...last, choices: [{ ...choice, finish_reason }] });
}

const insert = (frames: Json[], frame: Json, random: Random): Json[] =>
  frames.toSpliced(Math.floor(random() * (frames.length + 1)), 0, frame);

const without = (object: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, reversed(one)]),
  );
}

/** One of two end markers may be missing. */
function endsOf(pieces: readonly string[], random: Random): string[] {
  const done = pieces.findIndex((piece) => piece.includes('[DONE]'));
  if (done < 0 || !/"finish_reason":"/.test(pieces.join('')) || random() < 0.6) return [...pieces];
  if (random() < 0.5) return pieces.toSpliced(done, 1);
  return pieces.map((piece) => piece.replace(/"finish_reason":"\w+"/, '"finish_reason":null'));
}

/** Other line ends, comments and byte order marks around the events. */
function lines(body: string, random: Random): string {
  if (!body.includes('data:')) return body;
  let text = random() < 0.2 ? body.replaceAll(/^data: /gm, 'data:') : body;
  if (random() < 0.2) text = text.replaceAll('\n\n', '\n\n: keep-alive\n\n');
  if (random() < 0.1) text = text.replaceAll('\n\n', '\n\n\n');
  if (random() < 0.1) text = text.replaceAll('\n\n', '\n\nevent: ping\ndata: \n\n');
  if (!text.includes('\r') && random() < 0.3) text = text.replaceAll('\n', random() < 0.5 ? '\r\n' : '\r');
  if (random() < 0.1) text = text.trimEnd();
  return random() < 0.1 ? `\uFEFF${text.replace(/^\uFEFF/, '')}` : text;
}

function cut(body: Uint8Array, random: Random): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const size = oneOf(random, [3, 40, 400, 100_000]);
  for (let at = 0; at < body.length;) {
    const end = at + 1 + Math.floor(random() * size);
    chunks.push(body.subarray(at, end));
    at = end;
  }
  return chunks;
}
