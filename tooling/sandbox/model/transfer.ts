import type { ToolSpec } from './chat-request.js';
import { TRANSFER_CALL } from './choose-tool.js';
import { mentioned } from './tool-arguments.js';

const PERSON =
  /\b(?:speak|talk|connect me|put me through)\b.*\b(?:person|human|colleague|somebody|someone|agent|department)\b/i;

/** The requested person, of the function's allowed values; null: no request, or no such function. */
export function wantedPerson(utterance: string, tools: readonly ToolSpec[]): unknown {
  const tool = tools.find((one) => one.function.name === TRANSFER_CALL);
  const offered = tool?.function.parameters?.properties?.['to']?.enum ?? [];
  if (!PERSON.test(utterance)) return null;
  return mentioned(offered, [utterance]) ?? offered[0] ?? null;
}
