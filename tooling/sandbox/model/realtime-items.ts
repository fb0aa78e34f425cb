import { randomBytes } from 'node:crypto';
import type { ChatMessage } from './chat-request.js';
import type { NewItem } from './realtime-events.js';
import { RealtimeError } from './realtime-error.js';

export const newId = (kind: string): string => `${kind}_${randomBytes(10).toString('hex')}`;

/** An item of the conversation. `audioMs`: duration of the model's audio; 0 for written text. */
export interface Item {
  id: string;
  message: ChatMessage;
  audioMs: number;
  callId?: string;
}

/** The model's items, in their order. */
export class Items {
  private readonly items: Item[] = [];

  /** @param after id of the previous item; `root`: it is the first one; absent: it is the last one */
  add(item: Item, after?: string | null): void {
    if (this.items.some(({ id }) => id === item.id))
      throw new RealtimeError(
        `Item with id ${item.id} already exists.`,
        'item_create_duplicate_id',
        'item.id',
      );
    const index = after ? this.items.findIndex(({ id }) => id === after) : this.items.length - 1;
    if (after && after !== 'root' && index < 0) {
      const message = `The previous item with id ${after} does not exist.`;
      throw new RealtimeError(message, 'item_create_invalid_previous_item', 'previous_item_id');
    }
    this.items.splice(index + 1, 0, item);
  }

  create(item: NewItem, after?: string | null): Item {
    const id = item.id ?? newId('item');
    const created = { id, audioMs: 0, ...this.read(item) };
    this.add(created, after);
    return created;
  }

  /** The id of the last item; null when there is none. */
  get lastId(): string | null {
    return this.items.at(-1)?.id ?? null;
  }

  truncate(id: string, endMs: number): void {
    const item = this.items.find((one) => one.id === id);
    const spoken = item?.audioMs ? item : undefined;
    if (!item || !spoken) {
      const message = item ? 'Only model output audio messages can be truncated.' : `Item ${id} not found.`;
      throw new RealtimeError(message, 'item_truncate_invalid_item_id', 'item_id');
    }
    if (endMs > spoken.audioMs) {
      const message = `Audio content of ${spoken.audioMs}ms is already shorter than ${endMs}ms`;
      throw new RealtimeError(message, 'invalid_value', 'audio_end_ms');
    }
    const text = String(spoken.message.content ?? '');
    spoken.message.content = text.slice(0, Math.floor((text.length * endMs) / spoken.audioMs));
    spoken.audioMs = endMs;
  }

  remove(id: string): void {
    const index = this.items.findIndex((item) => item.id === id);
    if (index < 0) throw new RealtimeError(`Item ${id} not found.`, 'item_delete_invalid_item_id', 'item_id');
    this.items.splice(index, 1);
  }

  /** In the form of a chat request: calls of one response are in one message, before their results. */
  messages(): ChatMessage[] {
    return this.items
      .map(({ message }) => message)
      .filter(({ content, tool_calls }) => content !== '' || tool_calls);
  }

  private read(item: NewItem): Pick<Item, 'message' | 'callId'> {
    if (item.type === 'function_call') {
      const { call_id: callId, name, arguments: args } = item;
      return { callId, message: callMessage(callId, name, args) };
    }
    if (item.type === 'function_call_output') {
      const { call_id: callId, output } = item;
      if (!this.items.some((one) => one.callId === callId)) {
        const message = `Tool call ID '${callId}' not found in conversation.`;
        throw new RealtimeError(message, 'invalid_tool_call_id', 'item.call_id');
      }
      return { message: { role: 'tool', tool_call_id: callId, content: output } };
    }
    const content = item.content.map(({ text, transcript }) => text ?? transcript ?? '').join('');
    return { message: { role: item.role, content } };
  }
}

export const callMessage = (id: string, name: string, args: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, function: { name, arguments: args } }],
});
