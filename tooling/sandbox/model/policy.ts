import type { ChatRequest, ToolSpec } from './chat-request.js';
import { callbackFor } from './callback.js';
import { chooseTool, END_CALL, STOP_CALLING, SWITCH_LANGUAGE, TRANSFER_CALL } from './choose-tool.js';
import { Conversation, spokenIn } from './conversation.js';
import { evaluate, schemaInPrompt } from './evaluation.js';
import { saysGoodbye, wantsNoMoreCalls } from './attitude.js';
import { keysFor, pressing } from './menu.js';
import { smallTalk } from './small-talk.js';
import { wantedLanguage } from './switch-language.js';
import { wantedPerson } from './transfer.js';
import { toolArguments } from './tool-arguments.js';
import { speakResults } from './tool-results.js';

export interface FunctionCall {
  name: string;
  /** JSON text, as in the HTTP body. */
  arguments: string;
}

export interface Decision {
  content: string | null;
  calls: FunctionCall[];
}

/** The scripted model's response: equal requests get equal responses. */
export function decide(request: ChatRequest): Decision {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? 'auto';
  if (typeof choice === 'object') return forced(choice.function.name, request);
  const format = request.response_format;
  if (format?.type === 'json_schema') {
    return say(JSON.stringify(evaluate(format.json_schema.schema ?? {}, spokenIn(request.messages))));
  }
  if (format?.type === 'json_object') {
    return say(JSON.stringify(evaluate(schemaInPrompt(request.messages), spokenIn(request.messages))));
  }
  const conversation = new Conversation(request.messages);
  const offered = choice === 'none' ? [] : tools;
  const decision = converse(conversation, offered);
  const [fallback] = offered;
  if (choice === 'required' && decision.calls.length === 0 && fallback !== undefined) {
    return { content: null, calls: [callOf(fallback, conversation)] };
  }
  return decision;
}

/** One turn of a telephone conversation. */
function converse(conversation: Conversation, tools: readonly ToolSpec[]): Decision {
  const results = conversation.pendingResults;
  if (results.length > 0) return say(speakResults(results));
  if (conversation.wasInstructed) return say(instructed(conversation.instruction));
  const { utterance } = conversation;
  if (utterance === '') return say('Hello, how can I help you today?');
  const keys = keysFor(utterance, tools, conversation);
  if (keys !== null) return { content: null, calls: [pressing(keys)] };
  if (wantsNoMoreCalls(utterance)) {
    const parting = 'I am sorry for the disturbance. We will not call you again. Goodbye.';
    return sayAndCall(parting, [STOP_CALLING, END_CALL], tools, conversation);
  }
  if (saysGoodbye(utterance)) {
    return sayAndCall('Thank you for your time. Goodbye!', [END_CALL], tools, conversation);
  }
  const person = wantedPerson(utterance, tools);
  if (person !== null) {
    const call = { name: TRANSFER_CALL, arguments: JSON.stringify({ to: person }) };
    return { content: 'I will connect you now. One moment, please.', calls: [call] };
  }
  const call = wishOf(utterance, tools, conversation);
  // The same request again gets the same response.
  if (call !== null && !conversation.hasCalled(call.name, call.arguments)) {
    return { content: null, calls: [call] };
  }
  return say(smallTalk(conversation));
}

function wishOf(
  utterance: string,
  tools: readonly ToolSpec[],
  conversation: Conversation,
): FunctionCall | null {
  const language = wantedLanguage(utterance, tools);
  if (language !== null) return { name: SWITCH_LANGUAGE, arguments: JSON.stringify({ language }) };
  const callback = callbackFor(utterance, tools, conversation);
  if (callback !== null) return callback;
  const tool = chooseTool(utterance, tools);
  return tool === null ? null : callOf(tool, conversation);
}

/** In turns with a trigger other than the customer's words. */
function instructed(instruction: string): string {
  if (/screening answers/i.test(instruction))
    return 'This is the assistant Ada, and I am calling about your request.';
  if (/let the call through/i.test(instruction))
    return 'Hello, this is the assistant Ada, and I am calling about your request. When would it suit you to meet us?';
  return 'Are you still there?';
}

function say(content: string): Decision {
  return { content, calls: [] };
}

/** Speaks, and calls the first of the named functions that is offered. */
function sayAndCall(
  content: string,
  names: readonly string[],
  tools: readonly ToolSpec[],
  conversation: Conversation,
): Decision {
  const tool = names
    .map((name) => tools.find((one) => one.function.name === name))
    .find((one) => one !== undefined);
  return { content, calls: tool === undefined ? [] : [callOf(tool, conversation)] };
}

function callOf(tool: ToolSpec, conversation: Conversation): FunctionCall {
  return { name: tool.function.name, arguments: JSON.stringify(toolArguments(tool, conversation)) };
}

/** A forced function is the structured output of older models: the values are evaluated, not invented. */
function forced(name: string, { tools, messages }: ChatRequest): Decision {
  const schema = tools?.find((tool) => tool.function.name === name)?.function.parameters ?? {};
  const values = evaluate(schema, spokenIn(messages));
  return { content: null, calls: [{ name, arguments: JSON.stringify(values) }] };
}
