import type { JsonSchema, ModelTool } from '../../llm/language-model.js';
import type { ToolParameter, ConversationTool, EndReason } from './conversation-settings.js';

/** Every parameter is required, so that the model asks the customer for missing values. */
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
 * Parses the arguments that the model wrote. Numbers and booleans as text, and text as a number, are converted;
 * unknown parameters are dropped.
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

export const END_CALL = 'end_call';
export const STOP_CALLING = 'stop_calling';

/** The functions every assistant has, and the reason with which each ends the call. */
export const BUILT_IN_ENDS: ReadonlyMap<string, Extract<EndReason, 'goodbye' | 'stop_calling'>> = new Map([
  [END_CALL, 'goodbye'],
  [STOP_CALLING, 'stop_calling'],
]);

/** Names that a user's tool cannot replace. */
export const isBuiltIn = (name: string): boolean => BUILT_IN_ENDS.has(name);

const NO_PARAMETERS = { type: 'object', properties: {}, required: [], additionalProperties: false };

const END_CALL_DESCRIPTION =
  'Ends the call. Use it when the customer says goodbye or the conversation has reached its end. ' +
  'Say goodbye in the same answer.';

const builtInTools = (endCallDescription: string | null): ModelTool[] => [
  { name: END_CALL, description: endCallDescription || END_CALL_DESCRIPTION, parameters: NO_PARAMETERS },
  {
    name: STOP_CALLING,
    description:
      'Takes the number off every list and ends the call. Use it only when the customer asks never to be ' +
      'called again. Confirm it and say goodbye in the same answer.',
    parameters: NO_PARAMETERS,
  },
];

/** Everything the model may call: the assistant's own tools, then the built-in ones. */
export const modelTools = (
  tools: readonly ConversationTool[],
  endCallDescription: string | null,
): ModelTool[] => [
  ...tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: toJsonSchema(parameters),
  })),
  ...builtInTools(endCallDescription),
];
