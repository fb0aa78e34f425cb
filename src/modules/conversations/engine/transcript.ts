import type { ModelUsage } from '../../llm/language-model.js';
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

  /** @param stored what the record keeps where it is less than the model gets */
  customer(text: string, stored = text): void {
    this.memory.customer(text);
    const turn = { seq: ++this.lastSeq, role: 'customer', text: stored, interrupted: false } as const;
    const timings = { prompt: this.clock.now() };
    this.records.push((recorder) => recorder.turn({ ...turn, timings }));
  }

  /** All of it was said; what of it is heard comes out later. */
  said(speech: Speech): void {
    this.store(speech, speech.text.trim(), false);
  }

  /** It is still being heard; speech that the model has not finished is stored as far as it was heard. */
  playing(speech: Speech): void {
    const at = (speech.timings.playing = this.clock.now());
    if (!speech.complete) return this.store(speech, speech.estimatedUpTo(at), false);
    const { seq } = speech;
    if (seq !== null) this.records.push((recorder) => recorder.turnPlaying(seq, at));
  }

  played(speech: Speech): void {
    const at = this.clock.now();
    const { seq } = speech;
    remember(speech, speech.text.trim());
    if (seq !== null) this.records.push((recorder) => recorder.turnPlayed(seq, at));
  }

  /** The record keeps no more than was heard. */
  cut({ speech, heard }: Cut): void {
    const at = this.clock.now();
    const { seq } = speech;
    speech.timings.interrupted = at;
    if (seq === null) return this.store(speech, heard, true);
    remember(speech, heard);
    this.records.push((recorder) => recorder.turnCut(seq, heard, at));
  }

  /** What the model is told of speech that is about to stop. */
  cutForNow({ speech, heard }: Cut): void {
    remember(speech, heard);
  }

  toolCall(call: Omit<RecordedToolCall, 'seq'>): void {
    const seq = ++this.lastSeq;
    this.records.push((recorder) => recorder.toolCall({ ...call, seq }));
  }

  modelUsed({ model, prompt, cached, completion }: ModelUsage & { model: string }): void {
    const usage = { model, prompt, cached, completion, afterSeq: this.lastSeq };
    this.records.push((recorder) => recorder.modelUsed(usage));
  }

  private store(speech: Speech, text: string, interrupted: boolean): void {
    if (!speech.entry) return;
    remember(speech, text);
    if (text === '') return;
    const seq = (speech.seq ??= ++this.lastSeq);
    const turn = { seq, role: 'assistant', text, timings: { ...speech.timings }, interrupted } as const;
    this.records.push((recorder) => recorder.turn(turn));
  }
}

/** An answer that was interrupted and went on has more than one speech. */
function remember({ entry, before }: Speech, text: string): void {
  if (entry) entry.text = [before, text].filter(Boolean).join(' ');
}
