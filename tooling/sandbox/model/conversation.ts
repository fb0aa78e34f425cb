import { textOf, type ChatMessage } from './chat-request.js';

const CUSTOMER_LINE = /^\s*(?:customer|caller|user|human|client|lead)\s*:\s*(.+)$/i;
const ASSISTANT_LINE = /^\s*(?:ai|assistant|agent|bot)\s*:\s*(.+)$/i;

/** An instruction in place of the customer's words. */
const INSTRUCTION = /^\(.*\)$/;
/** An instruction without content beyond the customer's last words. */
const WAITS = /^\(The customer is waiting/;

/** The utterances of both sides. */
export interface Spoken {
  customerLines: string[];
  assistantLines: string[];
}

/** A running conversation, from the messages of a chat request. */
export class Conversation implements Spoken {
  readonly customerLines: string[];
  readonly assistantLines: string[];

  constructor(private readonly messages: readonly ChatMessage[]) {
    this.customerLines = textsBy(messages, 'user')
      .map((text) =>
        text
          .split('\n')
          .filter((line) => !INSTRUCTION.test(line))
          .join('\n'),
      )
      .filter((text) => text.trim() !== '');
    this.assistantLines = textsBy(messages, 'assistant');
  }

  /** The instructions before the conversation. */
  get instructions(): string {
    const [first] = this.messages;
    return first?.role === 'system' || first?.role === 'developer' ? textOf(first) : '';
  }

  /** The customer's last utterance. */
  get utterance(): string {
    return this.customerLines.at(-1) ?? '';
  }

  /** Tool results without a later response. */
  get pendingResults(): string[] {
    const answered = this.messages.findLastIndex((message) => message.role !== 'tool');
    return this.messages.slice(answered + 1).map(textOf);
  }

  /** The instructions for this turn; empty when there are only the customer's words. */
  get instruction(): string {
    const last = this.messages.at(-1);
    return this.wasInstructed && last ? (textOf(last).split('\n').at(-1) ?? '') : '';
  }

  /** Whether the last message is an instruction and not the customer's. */
  get wasInstructed(): boolean {
    const last = this.messages.at(-1);
    if (this.customerLines.length === 0 || last === undefined) return false;
    const lastLine = textOf(last).split('\n').at(-1) ?? '';
    return (
      last.role === 'system' ||
      last.role === 'developer' ||
      (last.role === 'user' && INSTRUCTION.test(lastLine) && !WAITS.test(lastLine))
    );
  }

  /** Whether this function was called with these arguments before. */
  hasCalled(name: string, args: string): boolean {
    return this.messages.some(({ tool_calls }) =>
      tool_calls?.some((call) => call.function.name === name && call.function.arguments === args),
    );
  }
}

/** A conversation to evaluate: a transcript in a message, else the messages themselves. */
export function spokenIn(messages: readonly ChatMessage[]): Spoken {
  for (const role of ['user', 'system', 'developer'] as const) {
    const lines = textsBy(messages, role).flatMap((text) => text.split('\n'));
    const spoken = {
      customerLines: matches(lines, CUSTOMER_LINE),
      assistantLines: matches(lines, ASSISTANT_LINE),
    };
    if (spoken.customerLines.length + spoken.assistantLines.length > 0) return spoken;
  }
  return new Conversation(messages);
}

function textsBy(messages: readonly ChatMessage[], role: ChatMessage['role']): string[] {
  return messages
    .filter((message) => message.role === role)
    .map(textOf)
    .filter((text) => text.trim() !== '');
}

function matches(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
}
