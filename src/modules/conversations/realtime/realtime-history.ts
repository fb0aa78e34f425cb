import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import type { RealtimeItem } from '../../speech/realtime-model.js';
import type { SpokenAudio } from './spoken-audio.js';

/** An item to be added to the model's conversation. `after`: as in `RealtimeConnection.addItem`. */
export interface MissingItem {
  item: RealtimeItem;
  after: string | null;
}

interface KnownItem {
  itemId: string;
  text: string;
}

/**
 * The items of the realtime model's own conversation: the customer's speech and its responses. The engine's memory also
 * has the engine's sentences, pressed keys, results of tools, and the conversation before the session.
 */
export class RealtimeHistory {
  private readonly customer: KnownItem[] = [];
  private readonly assistant: KnownItem[] = [];
  private readonly responses: SpokenAudio[] = [];
  private readonly calls = new Map<string, string>();
  private readonly outputs = new Map<string, string>();
  private created = 0;

  /** The customer's speech is in the model's conversation. */
  addCustomerItem(itemId: string, text: string): void {
    this.customer.push({ itemId, text: text.trim() });
  }

  /** The words of the speech are known. */
  setCustomerText(itemId: string, text: string): void {
    const known = this.customer.find((one) => one.itemId === itemId);
    if (known) known.text = text.trim();
    else this.addCustomerItem(itemId, text);
  }

  addResponse(speech: SpokenAudio): void {
    this.responses.push(speech);
  }

  /**
   * A response goes on that is cut in the model's conversation.
   *
   * @returns its items there: those of the provider or, once these are removed, ours with its heard beginning
   */
  takeCutResponse(speech: SpokenAudio): string[] {
    const known = this.responses.indexOf(speech);
    if (known >= 0) {
      this.responses.splice(known, 1);
      return speech.items.splice(0).map(({ itemId }) => itemId);
    }
    const whole = collapseSpaces(speech.text);
    const ours = this.assistant.findLastIndex(({ text }) => whole.startsWith(collapseSpaces(text)));
    return ours < 0 ? [] : this.assistant.splice(ours, 1).map(({ itemId }) => itemId);
  }

  addToolCall(callId: string, itemId: string): void {
    this.calls.set(callId, itemId);
  }

  /** @returns the items of calls that were withdrawn: they have no result and are not in the memory */
  takeWithdrawnCalls(messages: readonly ModelMessage[]): string[] {
    const kept = new Set(
      messages.flatMap((one) => (one.role === 'assistant' ? one.toolCalls.map(({ id }) => id) : [])),
    );
    const withdrawn = [...this.calls].filter(([id]) => !kept.has(id) && !this.outputs.has(id));
    for (const [id] of withdrawn) this.calls.delete(id);
    return withdrawn.map(([, itemId]) => itemId);
  }

  /** The missing items, in the order of the memory; they count as added from now on. */
  takeMissingItems(messages: readonly ModelMessage[]): MissingItem[] {
    const missing: MissingItem[] = [];
    const used = new Set<string>();
    let after: string | null = null;
    const write = (item: RealtimeItem): string => {
      missing.push({ item, after });
      return item.id;
    };
    for (const message of messages) {
      if (message.role === 'customer') {
        const known = takeItem(this.customer, used, ({ text }) => text === message.text.trim());
        after = known ?? this.createMessage('customer', message.text, write);
      } else if (message.role === 'tool') {
        after =
          this.outputs.get(message.callId) ?? this.createToolOutput(message.callId, message.text, write);
      } else if (message.role === 'assistant') {
        if (message.text !== '') {
          after =
            this.findSpokenItem(message.text, used) ?? this.createMessage('assistant', message.text, write);
        }
        for (const call of message.toolCalls)
          after = this.calls.get(call.id) ?? this.createToolCall(call, write);
      }
    }
    return missing;
  }

  /** The heard part of a response is its beginning; a response continued after a pause is one item. */
  private findSpokenItem(text: string, used: Set<string>): string | undefined {
    const words = collapseSpaces(text);
    const answer = this.responses.find(
      (one) => one.itemId !== null && !used.has(one.itemId) && collapseSpaces(one.text).startsWith(words),
    );
    if (answer?.itemId) used.add(answer.itemId);
    return (
      answer?.itemId ?? takeItem(this.assistant, used, (one) => collapseSpaces(one.text).startsWith(words))
    );
  }

  private createMessage(
    by: 'customer' | 'assistant',
    text: string,
    write: (item: RealtimeItem) => string,
  ): string {
    const itemId = write({ id: this.newId(), kind: 'said', by, text });
    (by === 'customer' ? this.customer : this.assistant).push({ itemId, text: text.trim() });
    return itemId;
  }

  private createToolCall(call: ModelToolCall, write: (item: RealtimeItem) => string): string {
    const itemId = write({ id: this.newId(), kind: 'call', call });
    this.calls.set(call.id, itemId);
    return itemId;
  }

  private createToolOutput(callId: string, text: string, write: (item: RealtimeItem) => string): string {
    const itemId = write({ id: this.newId(), kind: 'output', callId, text });
    this.outputs.set(callId, itemId);
    return itemId;
  }

  private newId(): string {
    return `ours_${++this.created}`;
  }
}

function takeItem(
  list: readonly KnownItem[],
  used: Set<string>,
  matches: (one: KnownItem) => boolean,
): string | undefined {
  const found = list.find((one) => !used.has(one.itemId) && matches(one));
  if (found) used.add(found.itemId);
  return found?.itemId;
}

const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();
