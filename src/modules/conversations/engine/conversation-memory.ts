import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import { SEND_DIGITS } from './built-in-tools.js';
import { CALL_SCREENING } from './call-screening.js';
import type { HistoryEntry } from './earlier-conversation.js';

/** One answer of the model. `text` is what was heard of it, or what was sent while that is not known yet. */
export interface AssistantEntry {
  text: string;
  /** Tool calls with their results; only complete pairs. */
  readonly tools: { call: ModelToolCall; answer: string }[];
}

interface Room {
  entries: number;
  characters: number;
}

/** What the model gets of a conversation: the newest entries, so many and so long; as in text conversations. */
const MOST: Room = { entries: 80, characters: 100_000 };
/** What is left of more: the beginning stays the same for many turns, so that providers find it in their caches. */
const KEPT: Room = { entries: 60, characters: 75_000 };

type Entry = { customer: string } | AssistantEntry;

/** The conversation as it is sent to the model: what was heard, and the results of tools. */
export class ConversationMemory {
  private readonly entries: Entry[] = [];
  /** Where what the model gets begins. */
  private first = 0;
  /** Stored answers by `seq`. */
  private readonly stored = new Map<number, AssistantEntry>();

  constructor(history: readonly HistoryEntry[] = []) {
    for (const entry of history) this.restore(entry);
  }

  customer(text: string): void {
    this.entries.push({ customer: text });
  }

  assistant(text = ''): AssistantEntry {
    const entry: AssistantEntry = { text, tools: [] };
    this.entries.push(entry);
    return entry;
  }

  /** Whether a model has answered the customer here. */
  get hasAnswered(): boolean {
    const first = this.entries.findIndex((entry) => 'customer' in entry);
    return first >= 0 && this.entries.slice(first).some((entry) => 'tools' in entry && !isBlank(entry));
  }

  /** The customer's last words; empty when there are none. */
  get lastHeard(): string {
    const last = this.entries.findLast((entry) => 'customer' in entry);
    return last?.customer ?? '';
  }

  /** Whether the assistant said these words and they were heard, as far as is known. */
  wasSaid(words: string): boolean {
    return this.entries.some((entry) => 'tools' in entry && entry.text.includes(words));
  }

  /** The answer that was stored with this number. */
  storedAnswer(seq: number): AssistantEntry | null {
    return this.stored.get(seq) ?? null;
  }

  /** Whether the customer spoke last, or tools have run for an answer that has not begun. */
  get awaitsAnswer(): boolean {
    const last = this.entries.at(-1);
    if (last === undefined || 'customer' in last) return last !== undefined;
    // After keys a recorded menu speaks.
    return last.text === '' && last.tools.some(({ call }) => call.name !== SEND_DIGITS);
  }

  /**
   * The newest of them, at most 80 with together 100,000 characters; where there are more, at least a quarter is left
   * out at once. Omits an answer of which nothing was heard and which called no tool.
   */
  messages(): ModelMessage[] {
    return this.newest().flatMap((entry): ModelMessage[] => {
      if ('customer' in entry) return [{ role: 'customer', text: entry.customer }];
      if (isBlank(entry)) return [];
      return [
        { role: 'assistant', text: entry.text, toolCalls: entry.tools.map(({ call }) => call) },
        ...entry.tools.map(({ call, answer }) => ({ role: 'tool' as const, callId: call.id, text: answer })),
      ];
    });
  }

  /** The last one is there whatever its length. What is cut begins with the customer: some models take nothing else. */
  private newest(): Entry[] {
    if (this.firstWithin(MOST) > this.first) {
      const first = this.firstWithin(KEPT);
      const customer = this.entries.findIndex((entry, index) => index >= first && 'customer' in entry);
      this.first = customer > 0 ? customer : first;
    }
    return this.entries.slice(this.first);
  }

  /** The first of the newest entries that are so many and so long. */
  private firstWithin(room: Room): number {
    let characters = 0;
    let first = this.entries.length;
    for (let count = 0; first > 0 && count < room.entries; first -= 1, count += 1) {
      const entry = this.entries[first - 1];
      characters += entry === undefined ? 0 : lengthOf(entry);
      if (count > 0 && characters > room.characters) break;
    }
    return first;
  }

  private restore(entry: HistoryEntry): void {
    // No function of the model's.
    if (entry.role === 'tool' && entry.name === CALL_SCREENING) return;
    if (entry.role === 'tool') {
      const call = {
        // Some servers take ids of exactly nine letters and digits only.
        id: `e${String(entry.seq).padStart(8, '0')}`,
        name: entry.name,
        arguments: JSON.stringify(entry.arguments),
      };
      this.assistant().tools.push({ call, answer: entry.answer });
    } else if (entry.role === 'customer') this.customer(entry.text);
    else this.stored.set(entry.seq, this.assistant(entry.text));
  }
}

const isBlank = ({ text, tools }: AssistantEntry): boolean => text === '' && tools.length === 0;

function lengthOf(entry: Entry): number {
  if ('customer' in entry) return entry.customer.length;
  return entry.tools.reduce(
    (sum, { call, answer }) => sum + call.arguments.length + answer.length,
    entry.text.length,
  );
}
