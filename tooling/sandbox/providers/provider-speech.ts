import { setTimeout as sleep } from 'node:timers/promises';
import { askedIn } from '../model-name.js';
import { toneSpeech } from '../speech/tones.js';

/** Of the audio requested from all providers. */
export const RATE = 24_000;
/** Delay of the first audio, as at real providers. */
const FIRST_AUDIO_MS = 150;
/** 200 ms of audio. */
const CHUNK_BYTES = 9_600;

/**
 * Oddities of providers that speak, selected by the model name of a request, or by the voice where the voice is the
 * model, e.g. `sonic-3.5+breaks`; those of recognisers are in `recogniser-flaws.ts`:
 *
 * - `breaks`: the connection breaks in the middle of the audio; `stalls`: no data follows its first half
 * - `busy`: too many concurrent requests, also of recognisers
 * - `short`, `mixes`, `early`: a server with a defect that the contract suites have to detect: the last audio is
 *   missing; the rest of cancelled speech is sent with the next one; the end is reported before the last audio
 */
const FLAWS = ['breaks', 'stalls', 'busy', 'short', 'mixes', 'early'] as const;
export type SpeechFlaw = (typeof FLAWS)[number];

export const flawOf = (model: string): SpeechFlaw | null => askedIn(model, FLAWS);

/** A text sent to a provider. */
export interface Synthesis {
  provider: 'OpenAI' | 'ElevenLabs' | 'Cartesia' | 'Deepgram';
  model: string;
  voice: string;
  text: string;
  /** The other parameters of the request, as sent. */
  settings: Record<string, unknown>;
}

/** With the time of the request, in milliseconds since the epoch. */
export interface NotedSynthesis extends Synthesis {
  at: number;
}

/** The requests to the providers, oldest first, and the current synthesis. */
export class ProviderDesk {
  readonly syntheses: NotedSynthesis[] = [];
  private running = 0;
  private sockets = 0;

  constructor(
    readonly apiKey: string,
    /** Maximum number of texts that a provider synthesizes concurrently. */
    private readonly concurrency: number,
    /** Divides the time of recognisers. */
    private readonly speed = 1,
  ) {}

  /** Real milliseconds. */
  realMs(ms: number): number {
    return ms / this.speed;
  }

  get isFull(): boolean {
    return this.running >= this.concurrency;
  }

  /** For providers that count open sockets, not active speech. */
  get hasSocket(): boolean {
    return this.sockets < this.concurrency;
  }

  /** @param onClosed calls its argument when the socket is closed */
  takeSocket(onClosed: (release: () => void) => void): void {
    this.sockets += 1;
    onClosed(() => (this.sockets -= 1));
  }

  note(synthesis: Synthesis): void {
    this.syntheses.push({ ...synthesis, at: Date.now() });
  }

  /**
   * Sends the audio of a text, piece by piece.
   *
   * @param isOver whether the request is cancelled
   * @returns false: the audio broke off, or no data follows
   */
  async speak(
    synthesis: Synthesis,
    send: (audio: Buffer, left: number) => void,
    { isOver, cut }: { isOver: () => boolean; cut: () => void },
  ): Promise<boolean> {
    this.note(synthesis);
    this.running += 1;
    try {
      const samples = toneSpeech(synthesis.text.trim(), RATE);
      const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
      const chunks = Array.from({ length: Math.ceil(audio.length / CHUNK_BYTES) }, (_, index) =>
        audio.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
      );
      const flaw = flawOf(`${synthesis.model}+${synthesis.voice.split('+').slice(1).join('+')}`);
      await sleep(FIRST_AUDIO_MS);
      for (const [index, chunk] of chunks.entries()) {
        if (isOver()) return true;
        if (flaw === 'short' && index === chunks.length - 1) return true;
        if ((flaw === 'breaks' || flaw === 'stalls') && index >= chunks.length / 2) {
          if (flaw === 'breaks') cut();
          return false;
        }
        send(chunk, chunks.length - 1 - index);
        // Messages received in the meantime are read.
        await sleep(1);
      }
      return true;
    } finally {
      this.running -= 1;
    }
  }
}

/** A message of a client; null: no JSON object. */
export function messageIn(data: unknown): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export const isWithin = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;
