import type { ModelTool } from '../llm/language-model.js';
import type { ConversationTool } from './conversation-settings.js';
import type { EndReason } from './end-reasons.js';
import { toJsonSchema } from './tool-arguments.js';

export const END_CALL = 'end_call';
export const STOP_CALLING = 'stop_calling';

/** The functions every assistant has, and the reason with which each ends the call. */
export const BUILT_IN_ENDS: ReadonlyMap<string, Extract<EndReason, 'goodbye' | 'stop_calling'>> = new Map([
  [END_CALL, 'goodbye'],
  [STOP_CALLING, 'stop_calling'],
]);

/** Names that a user's own tool cannot take over. */
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
