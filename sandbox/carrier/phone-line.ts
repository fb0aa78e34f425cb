import { EventEmitter } from 'node:events';
import type { Line } from '../callees/line.js';
import type { Pace } from '../pace.js';
import { MS_PER_CHARACTER } from './playback.js';

const PATIENCE_MS = 8_000;
/** The assistant's own thinking is never sped up: no less than this many real milliseconds of patience. */
const LEAST_PATIENCE_MS = 4_000;
const KEY_MS = 200;

/** The relay session of the moment: it carries what the person does to the service. */
export interface Voice {
  /** The person begins to speak; false when the carrier will not report these words. */
  beginSpeech(): boolean;
  endSpeech(words: string | null): void;
  press(digit: string): void;
}

type LineEvent = 'attached' | 'heard' | 'speaking';

/** One person's end of a call. It outlives the sessions: when one breaks, the person waits for the next. */
export class PhoneLine implements Line {
  private voice: Voice | null = null;
  private assistantSpeaks = false;
  private readonly heard: string[] = [];
  private readonly events = new EventEmitter<Record<LineEvent, []>>();

  constructor(
    private readonly pace: Pace,
    private readonly over: AbortSignal,
  ) {}

  attach(voice: Voice): void {
    this.voice = voice;
    this.events.emit('attached');
  }

  detach(voice: Voice): void {
    if (this.voice !== voice) return;
    this.voice = null;
    this.assistantSpeaks = false;
  }

  assistantStarted(): void {
    this.assistantSpeaks = true;
    this.events.emit('speaking');
  }

  /** `text` is null when the person cut the assistant short: nothing to answer. */
  assistantEnded(text: string | null): void {
    this.assistantSpeaks = false;
    if (text === null || text.trim() === '') return;
    this.heard.push(text.trim());
    this.events.emit('heard');
  }

  async listen(): Promise<string | null> {
    const deadline = Math.max(this.pace.real(PATIENCE_MS), LEAST_PATIENCE_MS);
    if (this.heard.length === 0) await this.until('heard', deadline);
    return this.heard.shift() ?? null;
  }

  async untilAssistantSpeaks(): Promise<void> {
    if (!this.assistantSpeaks) await this.until('speaking');
  }

  hasMoreToHear(): boolean {
    return this.assistantSpeaks || this.heard.length > 0;
  }

  async say(text: string): Promise<void> {
    for (;;) {
      const voice = await this.connected();
      const reported = voice.beginSpeech();
      await this.wait(text.length * MS_PER_CHARACTER);
      // A session that broke in mid-sentence did not hear it: said again on the next one.
      if (this.voice !== voice) continue;
      voice.endSpeech(reported ? text : null);
      return;
    }
  }

  async press(digit: string): Promise<void> {
    (await this.connected()).press(digit);
    await this.wait(KEY_MS);
  }

  async wait(ms: number): Promise<void> {
    await this.pace.sleep(ms, this.over);
  }

  private async connected(): Promise<Voice> {
    while (this.voice === null) await this.until('attached');
    return this.voice;
  }

  /** Resolves with the event or after `ms` real milliseconds; rejects when the call is over. */
  private until(event: LineEvent, ms?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.events.off(event, settle);
        this.over.removeEventListener('abort', settle);
        if (this.over.aborted) reject(this.over.reason);
        else resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(settle, ms);
      this.events.on(event, settle);
      this.over.addEventListener('abort', settle);
      if (this.over.aborted) settle();
    });
  }
}
