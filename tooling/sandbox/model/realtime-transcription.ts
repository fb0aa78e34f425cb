import { setTimeout as sleep } from 'node:timers/promises';

/** Delays after the end of a turn, as of a recogniser: each session takes them in this order. */
const DELAYS_MS = [700, 300, 1_500, 450, 1_100] as const;
/** Turns without a transcript, where a session loses them: one in each three is lost. */
const LOST_EVERY = 3;

export interface TranscriptionOptions {
  /** Speed of speech as a multiple of real time; it divides the delays. */
  speed: number;
  /** Whether some transcripts fail, or never arrive. */
  loses: boolean;
}

/** Transcribes the customer's audio, 300 to 1,500 ms after each turn and independently of responses. */
export class RealtimeTranscription {
  private turns = 0;
  private readonly closed = new AbortController();
  /** Transcripts arrive in the order of the turns. */
  private earlier: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: TranscriptionOptions,
    private readonly send: (event: object) => void,
  ) {}

  transcribe(item_id: string, transcript: string): void {
    const turn = this.turns++;
    const delayMs = (DELAYS_MS[turn % DELAYS_MS.length] ?? 0) / this.options.speed;
    const { signal } = this.closed;
    const due = sleep(delayMs, undefined, { signal, ref: false });
    this.earlier = Promise.all([due, this.earlier])
      .then(() => this.report(turn, item_id, transcript))
      .catch(() => undefined);
  }

  close(): void {
    this.closed.abort();
  }

  private report(turn: number, item_id: string, transcript: string): void {
    const base = { item_id, content_index: 0 };
    const kind = 'conversation.item.input_audio_transcription';
    if (this.options.loses && turn % LOST_EVERY === 1) {
      // Alternately: a failure, and nothing at all.
      if (turn % 2 === 0) return;
      const error = { type: 'transcription_error', code: 'audio_unintelligible', message: 'Not understood.' };
      return this.send({ type: `${kind}.failed`, ...base, error });
    }
    for (const delta of transcript.match(/\S+\s*/g) ?? [])
      this.send({ type: `${kind}.delta`, ...base, delta });
    const usage = { type: 'duration', seconds: transcript.length * 0.06 };
    this.send({ type: `${kind}.completed`, ...base, transcript, usage });
  }
}
