import type { ChatRequest } from './chat-request.js';
import { ModelError } from './model-error.js';

/** Signatures have to be returned, ids are unique, and lists of parameters are not empty. @throws ModelError */
export function refuseAsGemini({ tools = [], messages }: ChatRequest): void {
  const at = tools.findIndex(
    ({ function: { parameters } }) =>
      parameters?.properties && Object.keys(parameters.properties).length === 0,
  );
  const path = `GenerateContentRequest.tools[0].function_declarations[${at}].parameters.properties`;
  if (at >= 0) throw invalid(`* ${path}: should be non-empty for OBJECT type`, true);
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  if (calls.some((call) => !JSON.stringify(call).includes('thought_signature')))
    throw invalid('Function call is missing a thought_signature in functionCall parts.', true);
  refuseRepeatedIds({ messages });
}

/** @throws ModelError */
export function refuseRepeatedIds({ messages }: Pick<ChatRequest, 'messages'>): void {
  const ids = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
  if (new Set(ids).size !== ids.length) throw invalid(`tool_use ids must be unique: ${ids.join(', ')}`);
}

/** @throws ModelError */
export function refuseWithoutReasoning({ messages }: ChatRequest): void {
  const at = messages.findIndex((message) => message.tool_calls && !('reasoning_content' in message));
  if (at >= 0)
    throw invalid(`Missing \`reasoning_content\` field in the assistant message at message index ${at}.`);
}

const invalid = (message: string, isListed = false): ModelError =>
  new ModelError(400, message, 'invalid_request_error', null, isListed);
