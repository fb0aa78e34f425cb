import { Resampler } from './resampler.js';

/** What runs in the audio thread of a page. TypeScript does not describe it. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare const sampleRate: number;

export const PLAYER = 'voice-assistant-player';
export const MICROPHONE = 'voice-assistant-microphone';
/** Of the line: 16-bit samples, one channel. */
export const LINE_RATE = 24_000;
/** 40 ms. */
const FRAME_SAMPLES = 960;
const FULL_SCALE = 32_768;

/** To the player. `end`: the place after this audio. A later `turn` has nothing to do with the audio before. */
export type PlayerOrder =
  | { kind: 'audio'; samples: Int16Array; end: number }
  | { kind: 'clear'; turn: number }
  | { kind: 'hold'; on: boolean };

/** From the player: a piece was played to its end; `more`: another one follows at once. */
export interface PlayerReport {
  turn: number;
  end: number;
  more: boolean;
}

/** The service serves one script: the page loads it, and its audio thread loads it again. */
export const isAudioThread = (): boolean => typeof registerProcessor === 'function';

export function registerProcessors(): void {
  registerProcessor(PLAYER, playerClass());
  registerProcessor(MICROPHONE, microphoneClass());
}

const playerClass = () =>
  class extends AudioWorkletProcessor {
    private queue: { samples: Int16Array; end: number }[] = [];
    private at = 0;
    private turn = 0;
    private isHeld = false;

    constructor() {
      super();
      this.port.onmessage = ({ data }: MessageEvent<PlayerOrder>) => this.obey(data);
    }

    process(_inputs: Float32Array[][], [[output]]: [[Float32Array]]): boolean {
      for (let index = 0; index < output.length && !this.isHeld; index += 1) {
        const piece = this.queue[0];
        if (!piece) break;
        output[index] = (piece.samples[this.at] ?? 0) / FULL_SCALE;
        this.at += 1;
        if (this.at >= piece.samples.length) this.next(piece.end);
      }
      return true;
    }

    private next(end: number): void {
      this.queue.shift();
      this.at = 0;
      const { turn } = this;
      this.port.postMessage({ turn, end, more: this.queue.length > 0 } satisfies PlayerReport);
    }

    private obey(order: PlayerOrder): void {
      if (order.kind === 'audio') this.queue.push(order);
      else if (order.kind === 'hold') this.isHeld = order.on;
      else {
        this.queue = [];
        this.at = 0;
        this.turn = order.turn;
      }
    }
  };

const microphoneClass = () =>
  class extends AudioWorkletProcessor {
    private readonly resampler = new Resampler(sampleRate, LINE_RATE);
    private frame = new Int16Array(FRAME_SAMPLES);
    private filled = 0;

    process([[input]]: [[Float32Array | undefined]]): boolean {
      for (const sample of input ? this.resampler.push(input) : []) {
        const level = Math.round(sample * FULL_SCALE);
        this.frame[this.filled] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, level));
        this.filled += 1;
        if (this.filled === FRAME_SAMPLES) this.send();
      }
      return true;
    }

    private send(): void {
      this.port.postMessage(this.frame.buffer, [this.frame.buffer]);
      this.frame = new Int16Array(FRAME_SAMPLES);
      this.filled = 0;
    }
  };
