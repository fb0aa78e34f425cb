import type { ModelMessage, ModelToolCall } from '../../llm/language-model.js';
import type { HistoryEntry } from './conversation-settings.js';
import type { Clock } from './clock.js';
import type { RecordedToolCall, RecordingQueue } from './conversation-recorder.js';
import type { Cut } from './playback.js';
import type { Speech } from './speech.js';

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

  /** The customer's last words; empty when there are none. */
  get lastHeard(): string {
    const last = this.entries.findLast((entry) => 'customer' in entry);
    return last?.customer ?? '';
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
      if (entry.text === '' && entry.tools.length === 0) return [];
      return [
        { role: 'assistant', text: entry.text, toolCalls: entry.tools.map(({ call }) => call) },
        ...entry.tools.map(({ call, answer }) => ({ role: 'tool' as const, callId: call.id, text: answer })),
      ];
    });
  }

  private restore(entry: HistoryEntry): void {
    if (entry.role === 'tool') {
      const call = {
        id: `earlier_${entry.seq}`,
        name: entry.name,
        arguments: JSON.stringify(entry.arguments),
      };
      this.assistant().tools.push({ call, answer: entry.answer });
    } else if (entry.role === 'customer') this.customer(entry.text);
    else this.assistant(entry.text);
  }
}

/** Records what was heard for the model's memory and for the stored transcript. */
export class Transcript {
  readonly memory: ConversationMemory;
  private lastSeq: number;

  constructor(
    private readonly clock: Clock,
    private readonly records: RecordingQueue,
    history: readonly HistoryEntry[],
  ) {
    this.memory = new ConversationMemory(history);
    this.lastSeq = Math.max(0, ...history.map(({ seq }) => seq));
  }

  customer(text: string): void {
    this.memory.customer(text);
    const turn = { seq: ++this.lastSeq, role: 'customer', text, interrupted: false } as const;
    const timings = { prompt: this.clock.now() };
    this.records.push((recorder) => recorder.turn({ ...turn, timings }));
  }

  /** All of the speech was sent; what was heard of it is known later. */
  said(speech: Speech): void {
    if (speech.entry) this.store(speech, speech.text.trim(), false);
  }

  played({ seq }: Speech): void {
    const at = this.clock.now();
    if (seq !== null) this.records.push((recorder) => recorder.turnPlayed(seq, at));
  }

  /** Shortens the stored turn to what was heard. */
  cut({ speech, heard }: Cut): void {
    if (!speech.entry) return;
    const at = this.clock.now();
    const { seq } = speech;
    speech.timings.interrupted = at;
    if (seq === null) return this.store(speech, heard, true);
    speech.entry.text = heard;
    this.records.push((recorder) => recorder.turnCut(seq, heard, at));
  }

  toolCall(call: Omit<RecordedToolCall, 'seq'>): void {
    const seq = ++this.lastSeq;
    this.records.push((recorder) => recorder.toolCall({ ...call, seq }));
  }

  private store(speech: Speech, text: string, interrupted: boolean): void {
    if (speech.entry) speech.entry.text = text;
    if (text === '') return;
    const seq = (speech.seq = ++this.lastSeq);
    const turn = { seq, role: 'assistant', text, timings: { ...speech.timings }, interrupted } as const;
    this.records.push((recorder) => recorder.turn(turn));
  }
}
