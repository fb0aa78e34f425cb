import type { HistoryEntry } from './conversation-settings.js';
import type { Clock } from './clock.js';
import type { RecordedToolCall, RecordingQueue } from './conversation-recorder.js';
import type { Cut } from './playback.js';
import type { Speech } from './speech.js';
import { ConversationMemory } from './conversation-memory.js';

/** Keeps what was heard in two places: for the model, and for the record. */
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

  /** All of it was said; what of it is heard comes out later. */
  said(speech: Speech): void {
    if (speech.entry) this.store(speech, speech.text.trim(), false);
  }

  played({ seq }: Speech): void {
    const at = this.clock.now();
    if (seq !== null) this.records.push((recorder) => recorder.turnPlayed(seq, at));
  }

  /** The record keeps no more than was heard. */
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
