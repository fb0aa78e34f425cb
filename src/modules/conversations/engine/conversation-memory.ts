import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import { SEND_DIGITS } from './built-in-tools.js';
import { CALL_SCREENING } from './call-screening.js';
import type { HistoryEntry } from './earlier-conversation.js';

/** One response of the model. `text` is its heard part, or the sent text until the heard part is known. */
export interface AssistantEntry {
  text: string;
  /** Tool calls with their results; only complete pairs. */
  readonly tools: { call: ModelToolCall; answer: string }[];
}

interface HistoryLimit {
  entries: number;
  characters: number;
}

/** Limits of the history in a request to the model: the newest entries, as in text conversations. */
const MAX_HISTORY: HistoryLimit = { entries: 80, characters: 100_000 };
/** Size of a trimmed history: its beginning then stays the same for many turns, for the providers' caches. */
const TRIMMED_HISTORY: HistoryLimit = { entries: 60, characters: 75_000 };

/** What the customer said; its words may be set later. */
export interface CustomerEntry {
  customer: string;
}

type Entry = CustomerEntry | AssistantEntry;

/** The conversation as it is sent to the model: heard speech, and the results of tools. */
export class ConversationMemory {
  private readonly entries: Entry[] = [];
  /** Index of the first entry sent to the model. */
  private first = 0;
  /** Stored responses by `seq`. */
  private readonly stored = new Map<number, AssistantEntry>();

  constructor(history: readonly HistoryEntry[] = []) {
    for (const entry of history) this.restoreEntry(entry);
  }

  addCustomer(text: string): CustomerEntry {
    const entry: CustomerEntry = { customer: text };
    this.entries.push(entry);
    return entry;
  }

  removeCustomer(entry: CustomerEntry): void {
    const index = this.entries.indexOf(entry);
    if (index < 0) return;
    this.entries.splice(index, 1);
    if (index < this.first) this.first -= 1;
  }

  /** Whether the customer spoke last, whatever the model is about to say. */
  get isCustomerLast(): boolean {
    const last = this.entries.findLast((entry) => 'customer' in entry || !isBlank(entry));
    return last !== undefined && 'customer' in last;
  }

  addAssistant(text = ''): AssistantEntry {
    const entry: AssistantEntry = { text, tools: [] };
    this.entries.push(entry);
    return entry;
  }

  /** The customer's last words; empty: none. */
  get lastCustomerText(): string {
    const last = this.entries.findLast((entry) => 'customer' in entry);
    return last?.customer ?? '';
  }

  /** The assistant's last words; empty: none. */
  get lastAssistantText(): string {
    const last = this.entries.findLast((entry) => 'tools' in entry && entry.text !== '');
    return last && 'tools' in last ? last.text : '';
  }

  /** Whether the assistant's heard speech contains these words. */
  includesAssistantText(words: string): boolean {
    return this.entries.some((entry) => 'tools' in entry && entry.text.includes(words));
  }

  /** The stored response with this number. */
  findStoredEntry(seq: number): AssistantEntry | null {
    return this.stored.get(seq) ?? null;
  }

  /** Whether the customer spoke last, or the last response has tool results but no text. */
  get awaitsResponse(): boolean {
    const last = this.entries.at(-1);
    if (last === undefined || 'customer' in last) return last !== undefined;
    // After keys, a recorded menu speaks next.
    return last.text === '' && last.tools.some(({ call }) => call.name !== SEND_DIGITS);
  }

  /**
   * The newest entries, at most 80 with 100,000 characters together; beyond that at least a quarter is removed at once.
   * Omits responses without heard text and tool calls.
   */
  messages(): ModelMessage[] {
    return this.newestEntries().flatMap((entry): ModelMessage[] => {
      if ('customer' in entry) return [{ role: 'customer', text: entry.customer }];
      if (isBlank(entry)) return [];
      return [
        { role: 'assistant', text: entry.text, toolCalls: entry.tools.map(({ call }) => call) },
        ...entry.tools.map(({ call, answer }) => ({ role: 'tool' as const, callId: call.id, text: answer })),
      ];
    });
  }

  /**
   * Includes the last entry whatever its length. A trimmed history begins with the customer, as some models require.
   */
  private newestEntries(): Entry[] {
    if (this.firstWithin(MAX_HISTORY) > this.first) {
      const first = this.firstWithin(TRIMMED_HISTORY);
      const customer = this.entries.findIndex((entry, index) => index >= first && 'customer' in entry);
      this.first = customer > 0 ? customer : first;
    }
    return this.entries.slice(this.first);
  }

  /** Index of the first entry within the limit. */
  private firstWithin(limit: HistoryLimit): number {
    let characters = 0;
    let first = this.entries.length;
    for (let count = 0; first > 0 && count < limit.entries; first -= 1, count += 1) {
      const entry = this.entries[first - 1];
      characters += entry === undefined ? 0 : lengthOf(entry);
      if (count > 0 && characters > limit.characters) break;
    }
    return first;
  }

  private restoreEntry(entry: HistoryEntry): void {
    if (entry.role === 'filler') return;
    // Not a function of the model.
    if (entry.role === 'tool' && entry.name === CALL_SCREENING) return;
    if (entry.role === 'tool') {
      const call = {
        // Some servers accept only ids of exactly nine letters and digits.
        id: `e${String(entry.seq).padStart(8, '0')}`,
        name: entry.name,
        arguments: JSON.stringify(entry.arguments),
      };
      this.addAssistant().tools.push({ call, answer: entry.answer });
    } else if (entry.role === 'customer') this.addCustomer(entry.text);
    else this.stored.set(entry.seq, this.addAssistant(entry.text));
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
