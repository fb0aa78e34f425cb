import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { ModelMessage, ModelTool } from './language-model.js';

export function toChatMessage(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'customer':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      return {
        role: 'assistant',
        content: message.text || null,
        tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      };
  }
}

export const toChatTool = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
});
