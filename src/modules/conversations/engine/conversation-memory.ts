import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import { CALL_SCREENING } from './call-screening.js';
import type { HistoryEntry } from './earlier-conversation.js';

/** One answer of the model. `text` is what was heard of it, or what was sent while that is not known yet. */
export interface AssistantEntry {
  text: string;
  /** Tool calls with their results; only complete pairs. */
  readonly tools: { call: ModelToolCall; answer: string }[];
}

type Entry = { customer: string } | AssistantEntry;

/** The conversation as it is sent to the model: what was heard, and the results of tools. */
export class ConversationMemory {
  private readonly entries: Entry[] = [];
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

  /** Whether the customer spoke last. */
  get awaitsAnswer(): boolean {
    const last = this.entries.at(-1);
    return last !== undefined && 'customer' in last;
  }

  /** Omits an answer of which nothing was heard and which called no tool. */
  messages(): ModelMessage[] {
    return this.entries.flatMap((entry): ModelMessage[] => {
      if ('customer' in entry) return [{ role: 'customer', text: entry.customer }];
      if (isBlank(entry)) return [];
      return [
        { role: 'assistant', text: entry.text, toolCalls: entry.tools.map(({ call }) => call) },
        ...entry.tools.map(({ call, answer }) => ({ role: 'tool' as const, callId: call.id, text: answer })),
      ];
    });
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
