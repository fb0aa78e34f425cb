import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import type { RealtimeItem } from '../../speech/realtime-model.js';
import type { SpokenAudio } from './spoken-audio.js';

/** An item that has to be written into the model's conversation. `after`: as in `RealtimeConnection.add`. */
export interface MissingItem {
  item: RealtimeItem;
  after: string | null;
}

interface Known {
  itemId: string;
  text: string;
}

/**
 * What the realtime model's own conversation holds. It has heard the customer and itself; the engine's memory has more:
 * sentences of the engine's, pressed keys, results of tools, and what was said before the session was opened.
 */
export class RealtimeHistory {
  private readonly customer: Known[] = [];
  private readonly assistant: Known[] = [];
  private readonly answers: SpokenAudio[] = [];
  private readonly calls = new Map<string, string>();
  private readonly outputs = new Map<string, string>();
  private created = 0;

  /** The model has heard these words of the customer. */
  heard(itemId: string, text: string): void {
    this.customer.push({ itemId, text: text.trim() });
  }

  answered(speech: SpokenAudio): void {
    this.answers.push(speech);
  }

  called(callId: string, itemId: string): void {
    this.calls.set(callId, itemId);
  }

  /** The items that are missing, in the order of the memory; they count as written from now on. */
  missing(messages: readonly ModelMessage[]): MissingItem[] {
    const missing: MissingItem[] = [];
    const used = new Set<string>();
    let after: string | null = null;
    const write = (item: RealtimeItem): string => {
      missing.push({ item, after });
      return item.id;
    };
    for (const message of messages) {
      if (message.role === 'customer') {
        const known = take(this.customer, used, ({ text }) => text === message.text.trim());
        after = known ?? this.write('customer', message.text, write);
      } else if (message.role === 'tool') {
        after = this.outputs.get(message.callId) ?? this.writeOutput(message.callId, message.text, write);
      } else if (message.role === 'assistant') {
        if (message.text !== '') {
          after = this.said(message.text, used) ?? this.write('assistant', message.text, write);
        }
        for (const call of message.toolCalls) after = this.calls.get(call.id) ?? this.writeCall(call, write);
      }
    }
    return missing;
  }

  /** What was heard of an answer is its beginning; an answer that went on after a pause is one item all the same. */
  private said(text: string, used: Set<string>): string | undefined {
    const words = plain(text);
    const answer = this.answers.find(
      (one) => one.itemId !== null && !used.has(one.itemId) && plain(one.text).startsWith(words),
    );
    if (answer?.itemId) used.add(answer.itemId);
    return answer?.itemId ?? take(this.assistant, used, (one) => plain(one.text).startsWith(words));
  }

  private write(by: 'customer' | 'assistant', text: string, write: (item: RealtimeItem) => string): string {
    const itemId = write({ id: this.newId(), kind: 'said', by, text });
    (by === 'customer' ? this.customer : this.assistant).push({ itemId, text: text.trim() });
    return itemId;
  }

  private writeCall(call: ModelToolCall, write: (item: RealtimeItem) => string): string {
    const itemId = write({ id: this.newId(), kind: 'call', call });
    this.calls.set(call.id, itemId);
    return itemId;
  }

  private writeOutput(callId: string, text: string, write: (item: RealtimeItem) => string): string {
    const itemId = write({ id: this.newId(), kind: 'output', callId, text });
    this.outputs.set(callId, itemId);
    return itemId;
  }

  private newId(): string {
    return `ours_${++this.created}`;
  }
}

function take(list: readonly Known[], used: Set<string>, fits: (one: Known) => boolean): string | undefined {
  const found = list.find((one) => !used.has(one.itemId) && fits(one));
  if (found) used.add(found.itemId);
  return found?.itemId;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
