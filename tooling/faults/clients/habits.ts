import type { Random } from '../support/random.js';
import { oneOf } from '../fuzz/odd-values.js';

type Fields = Record<string, unknown>;

/** Response names of the fields of an assistant's request. */
const ANSWER_NAMES: Record<string, string> = {
  assistant_name: 'name',
  engine_type: 'mode',
  filler_audios: 'fillers',
  max_call_duration: 'max_duration',
  noise_cancellation: 'enable_noise_cancellation',
  re_engagement_interval: 'reengagement_interval',
  record_call: 'record',
};
const TYPES: Record<string, string> = { make: 'outbound', receive: 'inbound' };
/** Their values are names of the catalogue. */
const NAMES = new Set(['language', 'llm_model', 'llm_fallback_model']);

/** The same request in the form of clients. @param optional names of further fields of the body */
export function asClientsWrite(body: Fields, optional: readonly string[], random: Random): Fields {
  const written: Fields = {};
  for (const [name, value] of Object.entries(body)) {
    const [otherName, otherValue] = random() < 0.4 ? underAnswerName(name, value) : [name, value];
    written[otherName] = spelled(name, otherValue, random);
  }
  if (random() < 0.6) fillEmpty(written, body, optional, random);
  return written;
}

/** Forms send every field. A field that the body has under another name is left alone. */
function fillEmpty(written: Fields, body: Fields, optional: readonly string[], random: Random): void {
  const empty = oneOf(random, ['', null]);
  for (const name of optional) if (!(name in written) && !sharesProperty(name, body)) written[name] = empty;
}

/** The end of the call has two fields; an empty one means that there is none. */
const sharesProperty = (name: string, body: Fields): boolean =>
  name.startsWith('end_call_tool') && Object.keys(body).some((other) => other.startsWith('end_call_tool'));

function underAnswerName(name: string, value: unknown): [string, unknown] {
  if (name === 'calls_direction') return ['type', TYPES[String(value)]];
  if (name === 'who_speaks_first') return ['wait_for_customer', value === 'Customer'];
  return [ANSWER_NAMES[name] ?? name, value];
}

function spelled(name: string, value: unknown, random: Random): unknown {
  if (typeof value === 'boolean') return oneOf(random, [value, Number(value), String(Number(value))]);
  if (typeof value === 'number') return oneOf(random, [value, String(value)]);
  if (NAMES.has(name) && typeof value === 'string') {
    return oneOf(random, [value, value.toUpperCase(), value.toLowerCase()]);
  }
  if (name === 'variables')
    return oneOf(random, [value, asList(value as Fields), [{ ...(value as Fields) }, {}]]);
  return value;
}

/** With values that later objects replace. */
const asList = (variables: Fields): Fields[] => {
  const entries = Object.entries(variables);
  return entries.flatMap(([key, value]) => [{ [key]: 'replaced' }, { [key]: value }]);
};

/** A number and its national format in the United States. */
export function writtenNumber(random: Random): { written: string; e164: string } {
  const area = 201 + Math.floor(random() * 700);
  const line = String(Math.floor(random() * 10_000)).padStart(4, '0');
  const e164 = `+1${area}555${line}`;
  const impossible = `+1${area}555${line.slice(1)}`;
  return oneOf(random, [
    { e164, written: e164 },
    { e164, written: `(${area}) 555-${line}` },
    { e164, written: ` 1-${area}-555-${line} ` },
    { e164, written: `001 ${area} 555 ${line}` },
    { e164, written: `tel:${e164}` },
    { e164: impossible, written: impossible },
    { e164: impossible, written: `+1 (${area}) 555-${line.slice(1)}` },
  ]);
}

/** Invalid in every numbering plan. */
export const NO_NUMBERS = ['nobody', '+999123456789', '+1234567890123456', '12', '+1415', '+1 415 FLOWERS'];
