import type { JsonSchema, ModelTool } from '../../llm/language-model.js';
import type { FunctionParameter, ConversationTool, EndReason } from './conversation-settings.js';
import type { ToolOutcome } from './tool-runner.js';

/** Every parameter is required, so that the model asks the customer for missing values. */
export const toJsonSchema = (
  parameters: readonly FunctionParameter[],
  /** Allowed values by parameter name; others are free. */
  choices: Record<string, readonly string[]> = {},
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, type, description }) => {
      const choice = choices[name];
      return [name, { type, description, ...(choice && { enum: choice }) }];
    }),
  ),
  required: parameters.map(({ name }) => name),
  additionalProperties: false,
});

export type ParsedArguments = { values: Record<string, unknown> } | { fault: string };

/**
 * Parses the arguments that the model wrote. Numbers and booleans as text, and text as a number, are converted;
 * unknown parameters are dropped.
 */
export function parseArguments(parameters: readonly FunctionParameter[], text: string): ParsedArguments {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.trim() || '{}');
  } catch {
    return { fault: 'The arguments are not valid JSON.' };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { fault: 'The arguments must be a JSON object.' };
  }
  const values: [string, unknown][] = [];
  for (const { name, type } of parameters) {
    const value = Object.hasOwn(parsed, name) ? coerce(type, Reflect.get(parsed, name)) : undefined;
    if (value === undefined) return { fault: `The argument ${name} must be given as a ${type}.` };
    values.push([name, value]);
  }
  return { values: Object.fromEntries(values) };
}

function coerce(type: FunctionParameter['type'], value: unknown): unknown {
  if (typeof value === type) return value;
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

export const END_CALL = 'end_call';
export const STOP_CALLING = 'stop_calling';
/** Offered where synthesis and recognition support more than one language. */
export const SWITCH_LANGUAGE = 'switch_language';

/** The language (BCP 47) after a call of a function; null: it did not change. */
export const switchedLanguage = ({ name, outcome }: { name: string; outcome: ToolOutcome }): string | null =>
  name === SWITCH_LANGUAGE && outcome.ok ? (outcome.result as { language: string }).language : null;

/** Offered in outbound calls, where a menu may answer. */
export const SEND_DIGITS = 'send_digits';

/** Offered in calls with a lead. */
export const SCHEDULE_CALLBACK = 'schedule_callback';

/** Offered to assistants with transfer targets. */
export const TRANSFER_CALL = 'transfer_call';

/** The functions of every assistant that end the call, with their end reasons. */
export const END_REASON_BY_FUNCTION: ReadonlyMap<
  string,
  Extract<EndReason, 'goodbye' | 'stop_calling'>
> = new Map([
  [END_CALL, 'goodbye'],
  [STOP_CALLING, 'stop_calling'],
]);

/**
 * Whether a user's tool cannot have this name.
 *
 * @param canTransfer whether the call has transfer targets
 */
export const isReservedName = (name: string, canTransfer: boolean): boolean =>
  END_REASON_BY_FUNCTION.has(name) || name === SWITCH_LANGUAGE || (canTransfer && name === TRANSFER_CALL);

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

/** A function run by the engine itself. */
export interface BuiltInFunction {
  tool: Omit<ConversationTool, 'id'>;
  /** Allowed values by parameter name; others are free. */
  choices?: Record<string, readonly string[]>;
  run(values: Record<string, unknown>): Promise<ToolOutcome>;
  /** After its success the assistant waits for the customer instead of responding. */
  waitsForCustomer?: true;
}

/** All tools of a request: the assistant's own tools, then the built-in ones. */
export const modelTools = (
  tools: readonly ConversationTool[],
  endCallDescription: string | null,
  functions: readonly BuiltInFunction[],
): ModelTool[] => [
  ...tools.map((tool) => modelTool(tool)),
  ...builtInTools(endCallDescription),
  ...functions.map(({ tool, choices }) => modelTool(tool, choices)),
];

const modelTool = (
  { name, description, parameters }: BuiltInFunction['tool'],
  choices?: BuiltInFunction['choices'],
): ModelTool => ({ name, description, parameters: toJsonSchema(parameters, choices) });
