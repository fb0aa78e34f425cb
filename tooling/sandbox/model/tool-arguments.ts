import type { ToolSpec } from './chat-request.js';
import type { Conversation } from './conversation.js';
import { factKind, findFact, findNumber } from './facts.js';
import { fillObject, type Fill } from './fill-schema.js';
import { wentWell } from './attitude.js';

const LONGEST_TEXT = 200;

/** Arguments for a function, from the conversation; the utterance replaces a missing text. */
export function toolArguments(tool: ToolSpec, conversation: Conversation): Record<string, unknown> {
  const { customerLines, utterance } = conversation;
  const fill: Fill = (name, schema, type) => {
    if (schema.enum !== undefined) return mentioned(schema.enum, customerLines) ?? schema.enum[0];
    if (type === 'boolean') return wentWell(customerLines);
    const kind = factKind(name, schema);
    const fact = kind === null ? null : findFact(kind, customerLines);
    if (type === 'string') return fact ?? utterance.slice(0, LONGEST_TEXT);
    const number = findNumber(fact === null ? customerLines : [fact]) ?? 1;
    return type === 'integer' ? Math.round(number) : number;
  };
  return fillObject(tool.function.parameters ?? {}, fill);
}

/** The allowed value in the utterances. */
export function mentioned(values: readonly unknown[], lines: readonly string[]): unknown {
  const said = lines.join('\n').toLowerCase();
  return values.find((value) => typeof value === 'string' && said.includes(value.toLowerCase()));
}
