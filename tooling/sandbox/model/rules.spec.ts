import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from './chat-request.js';
import { ModelError } from './model-error.js';
import { refuseWrong } from './rules.js';

const USER = { role: 'user', content: 'Hello?' } as const;
const SYSTEM = { role: 'system', content: 'Be kind.' } as const;
const ASSISTANT = { role: 'assistant', content: 'Yes?' } as const;
const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', function: { name: 'look_up', arguments: '{}' } }],
} as const;
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: '{}' } as const;
const TOOLS = [{ type: 'function', function: { name: 'look_up' } }];

function refusal(request: object) {
  try {
    refuseWrong({ model: 'gpt-4.1-mini', messages: [SYSTEM, USER], ...request } as ChatRequest);
    return null;
  } catch (error) {
    const { status } = error as ModelError;
    const [body] = [(error as ModelError).toBody()].flat();
    const { code, param } = body?.error ?? {};
    return { status, code, param };
  }
}

describe('what the model endpoint refuses', () => {
  it.each([
    [{ temperature: 0.2, max_tokens: 100 }],
    [{ model: 'gpt-5-mini', temperature: 1, max_completion_tokens: 100, reasoning_effort: 'low' }],
    [{ model: 'o3', temperature: null, max_tokens: null }],
    [{ model: 'gpt-6-luna', tools: TOOLS, reasoning_effort: 'none', max_completion_tokens: 100 }],
    [{ model: 'gpt-6-luna', reasoning_effort: 'max' }],
    [{ model: 'gpt-5-mini', tools: TOOLS, reasoning_effort: 'minimal' }],
    [{ model: 'openai/gpt-oss-120b', tools: TOOLS, reasoning_effort: 'low', temperature: 0.2 }],
    [{ stream: true, stream_options: { include_usage: true } }],
    [{ tools: TOOLS, tool_choice: 'auto', parallel_tool_calls: false }],
    [{ messages: [SYSTEM, USER, CALL, RESULT] }],
    [{ messages: [SYSTEM, USER, CALL, RESULT, ASSISTANT, USER] }],
    [{ messages: [SYSTEM] }],
    [{ messages: [SYSTEM, USER, ASSISTANT, SYSTEM] }],
    [{ model: 'mistral-small-latest', messages: [SYSTEM, USER, CALL, RESULT] }],
  ])('accepts %j', (request) => {
    expect(refusal(request)).toBeNull();
  });

  it.each([
    [{ model: 'gpt-5-mini', temperature: 0.2 }, 400, 'unsupported_value', 'temperature'],
    [{ model: 'gpt-5', temperature: 0 }, 400, 'unsupported_value', 'temperature'],
    [{ model: 'o4-mini', top_p: 0.5 }, 400, 'unsupported_value', 'top_p'],
    [{ model: 'o3', max_tokens: 100 }, 400, 'unsupported_parameter', 'max_tokens'],
    [
      { model: 'gpt-6-luna', temperature: 0.2, reasoning_effort: 'none' },
      400,
      'unsupported_value',
      'temperature',
    ],
    [{ model: 'gpt-6-luna', reasoning_effort: 'minimal' }, 400, 'unsupported_value', 'reasoning_effort'],
    [{ model: 'gpt-6.1-sol', reasoning_effort: 'none' }, 400, 'unsupported_value', 'reasoning_effort'],
    [{ model: 'gpt-6-luna', tools: TOOLS, reasoning_effort: 'low' }, 400, null, 'reasoning_effort'],
    [{ model: 'gpt-5.6-luna', tools: TOOLS }, 400, null, 'reasoning_effort'],
    [{ model: 'gpt-4.1-mini+no-tools', tools: TOOLS }, 400, null, 'tools'],
    [{ reasoning_effort: 'low' }, 400, 'unknown_parameter', 'reasoning_effort'],
    [{ model: 'gpt-realtime' }, 404, null, 'model'],
    [{ model: 'gpt-4o-realtime-preview' }, 404, null, 'model'],
    [{ ambience: 'office' }, 400, 'unknown_parameter', 'ambience'],
    [{ temperature: 2.1 }, 400, 'decimal_out_of_range', 'temperature'],
    [{ stream_options: { include_usage: true } }, 400, null, 'stream_options'],
    [{ tools: [] }, 400, 'invalid_array_length', 'tools'],
    [{ tool_choice: 'none' }, 400, null, 'tool_choice'],
    [{ messages: [USER, CALL] }, 400, null, 'messages'],
    [{ messages: [USER, CALL, ASSISTANT, RESULT] }, 400, null, 'messages'],
    [{ messages: [USER, RESULT] }, 400, null, 'messages'],
    [{ messages: [SYSTEM, USER, ASSISTANT] }, 400, 'invalid_request_message_order', 'messages'],
    [{ messages: [USER, CALL, RESULT, USER] }, 400, 'invalid_request_message_order', 'messages'],
    [{ model: 'gpt-4.1-mini+strict', messages: [SYSTEM] }, 400, 'invalid_request_message_order', 'messages'],
    [
      { model: 'mistral-small-latest', messages: [SYSTEM, USER, ASSISTANT, SYSTEM] },
      400,
      'invalid_request_message_order',
      'messages',
    ],
  ])('refuses %j', (request, status, code, param) => {
    expect(refusal(request)).toEqual({ status, code, param });
  });
});
