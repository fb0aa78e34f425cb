import type { JsonSchema } from '../llm/language-model.js';
import type { ToolParameter } from './conversation-settings.js';

/** Every parameter is required: what the customer has not said yet, the model has to ask for. */
export const toJsonSchema = (parameters: readonly ToolParameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, type, description }) => [name, { type, description }]),
  ),
  required: parameters.map(({ name }) => name),
  additionalProperties: false,
});

export type ReadArguments = { values: Record<string, unknown> } | { fault: string };

/**
 * Reads what the model wrote. A number or boolean written as text, and text written as a number, are
 * understood; what the tool does not know is dropped.
 */
export function readArguments(parameters: readonly ToolParameter[], text: string): ReadArguments {
  let given: unknown;
  try {
    given = JSON.parse(text.trim() || '{}');
  } catch {
    return { fault: 'The arguments are not valid JSON.' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { fault: 'The arguments must be a JSON object.' };
  }
  const values: [string, unknown][] = [];
  for (const { name, type } of parameters) {
    const value = Object.hasOwn(given, name) ? coerce(type, Reflect.get(given, name)) : undefined;
    if (value === undefined) return { fault: `The argument ${name} must be given as a ${type}.` };
    values.push([name, value]);
  }
  return { values: Object.fromEntries(values) };
}

function coerce(type: ToolParameter['type'], value: unknown): unknown {
  if (typeof value === type) return value;
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}
