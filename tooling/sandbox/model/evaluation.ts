import { textOf, type ChatMessage, type SchemaNode } from './chat-request.js';
import type { Spoken } from './conversation.js';
import { factKind, findFact, findNumber } from './facts.js';
import { fillObject, type Fill } from './fill-schema.js';
import { isVoicemail, wantsNoMoreCalls, wentWell } from './attitude.js';
import { mentioned } from './tool-arguments.js';
import { overlap, stems } from './words.js';

const SUMMARY = /summary|summar|notes?\b|overview|what happened/i;
const OUTCOME = /outcome|result|status|disposition/i;

/** The values of the schema's properties in a finished conversation; null for a missing value. */
export function evaluate(schema: SchemaNode, spoken: Spoken): Record<string, unknown> {
  const { customerLines } = spoken;
  const fill: Fill = (name, property, type) => {
    if (customerLines.length === 0) return null;
    if (property.enum !== undefined) return mentioned(property.enum, customerLines) ?? null;
    const asked = `${name.replaceAll('_', ' ')} ${property.description ?? ''}`;
    if (type === 'boolean') return judge(asked, customerLines);
    const kind = factKind(name, property);
    const fact = kind === null ? null : findFact(kind, customerLines);
    if (type === 'number' || type === 'integer') {
      const source = fact ?? relevantLine(asked, customerLines);
      const number = source === null ? null : findNumber([source]);
      return number !== null && type === 'integer' ? Math.round(number) : number;
    }
    if (SUMMARY.test(asked)) return summary(customerLines);
    if (OUTCOME.test(asked)) return wentWell(customerLines) ? 'successful' : 'not successful';
    return kind === null ? relevantLine(asked, customerLines) : fact;
  };
  return fillObject(schema, fill);
}

/** The JSON Schema in a prompt, for models with JSON output but without schemas. */
export function schemaInPrompt(messages: readonly ChatMessage[]): SchemaNode {
  for (const text of messages.map(textOf)) {
    for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
      const schema = leadingObject(text.slice(start));
      if (schema?.properties !== undefined) return schema;
    }
  }
  return {};
}

function judge(asked: string, lines: readonly string[]): boolean {
  const said = lines.join('\n');
  if (/voice ?mail|machine/i.test(asked)) return isVoicemail(said);
  if (/opt.?out|do not call|stop calling|unsubscribe/i.test(asked)) return wantsNoMoreCalls(said);
  return wentWell(lines);
}

function summary(lines: readonly string[]): string {
  const name = findFact('name', lines) ?? 'The customer';
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  return `${name} was reached and said: "${longest.slice(0, 160)}"`;
}

/** The customer's sentence with the most words of the question; null without a common word. */
function relevantLine(asked: string, lines: readonly string[]): string | null {
  const wanted = stems(asked);
  const scored = lines.map((line) => ({ line, score: overlap(stems(line), wanted) }));
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top), { line: '', score: 0 });
  return best.score > 0 ? best.line : null;
}

/** The shortest JSON object at the start. */
function leadingObject(text: string): SchemaNode | null {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      return JSON.parse(text.slice(0, end + 1)) as SchemaNode;
    } catch {
      continue;
    }
  }
  return null;
}
