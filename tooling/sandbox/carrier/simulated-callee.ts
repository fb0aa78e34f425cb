import { EventEmitter } from 'node:events';
import type { Line } from '../callees/line.js';
import type { PlayedSpeech } from './playback.js';
import type { ClockSpeed } from '../clock-speed.js';
import { MS_PER_CHARACTER } from './playback.js';

const LISTEN_MS = 8_000;
/** Lower limit in real milliseconds, because the assistant itself runs in real time. */
const MIN_LISTEN_MS = 4_000;
const KEY_MS = 400;
const BEEP_MS = 500;
const NOISE_MS = 300;

/** Writes one side's speech to the journal. `reported`: the carrier reports the callee's words. */
export type SpeechLog = (
  speech:
    | { who: 'assistant'; text: string; heard: string; whole: boolean; from: number; lateMs?: number }
    | { who: 'assistant'; key: string }
    | { who: 'callee'; text: string; reported: boolean; whole?: false; lateMs?: number },
) => void;

/** The current session; it sends the callee's actions to the service. */
export interface Voice {
  /** The callee begins to speak; false when the carrier does not report these words. @param text null: a noise */
  beginSpeech(text: string | null): boolean;
  /**
   * `words`: the transcribed part; `text`: the speech. Resolves when all of it is sent, on an audio line with the
   * delay of its latest part.
   */
  endSpeech(words: string | null, text: string): void | Promise<number>;
  press(digit: string): void;
}

type LineEvent = 'attached' | 'heard' | 'speaking' | 'said' | 'announced' | 'key';

/** The callee's side of a call. It outlives sessions: after a broken session the callee waits for the next. */
export class SimulatedCallee implements Line {
  private voice: Voice | null = null;
  private assistantSpeaks = false;
  private startedAt = 0;
  private announcementEnd: 'beep' | 'silence' | null = null;
  private utterances = 0;
  private readonly heard: string[] = [];
  private readonly keys: string[] = [];
  private readonly events = new EventEmitter<Record<LineEvent, []>>();

  constructor(
    private readonly clockSpeed: ClockSpeed,
    private readonly over: AbortSignal,
    private readonly log: SpeechLog,
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
    this.startedAt = Date.now();
    this.events.emit('speaking');
  }

  /** Interrupted speech requires no response: the callee interrupted it. */
  assistantEnded({ played, heard, whole, lateMs = 0 }: PlayedSpeech): void {
    this.assistantSpeaks = false;
    if (played.trim() === '') return;
    const late = whole || lateMs === 0 ? {} : { lateMs };
    this.log({ who: 'assistant', text: played, heard, whole, from: this.startedAt, ...late });
    if (!whole) return;
    this.heard.push(played.trim());
    this.events.emit('heard');
  }

  /**
   * The session ended in the callee's speech. Without the end of the call, the callee says all of it on the next
   * session.
   *
   * @param text the part of it that was sent
   */
  cutShort(text: string): void {
    this.log({ who: 'callee', text, reported: true, whole: false });
  }

  keyPressed(key: string): void {
    this.log({ who: 'assistant', key });
    this.keys.push(key);
    this.events.emit('key');
  }

  async key(ms: number): Promise<string | null> {
    // The other side's thinking time is independent of the callee's speed.
    if (this.keys.length === 0) await this.until('key', Math.max(this.clockSpeed.real(ms), MIN_LISTEN_MS));
    return this.keys.shift() ?? null;
  }

  /** Another person on the line, not the assistant. */
  otherEnded(text: string): void {
    this.assistantSpeaks = false;
    if (text === '') return;
    this.heard.push(text);
    this.events.emit('heard');
  }

  async listen(): Promise<string | null> {
    const deadline = Math.max(this.clockSpeed.real(LISTEN_MS), MIN_LISTEN_MS);
    // A slow response of the service is no silence of the assistant.
    if (this.heard.length === 0) await this.connected();
    do {
      if (this.heard.length === 0) await this.until('heard', deadline);
      // A long speech is no silence.
    } while (this.heard.length === 0 && this.assistantSpeaks);
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
      const reported = voice.beginSpeech(text);
      await this.wait(text.length * MS_PER_CHARACTER);
      // Speech lost in a broken session is repeated on the next one.
      if (this.voice !== voice) continue;
      const lateMs = await voice.endSpeech(reported ? text : null, text);
      if (this.voice !== voice) continue;
      this.log({ who: 'callee', text, reported, ...(lateMs ? { lateMs } : {}) });
      this.utterances += 1;
      this.events.emit('said');
      return;
    }
  }

  async makeNoise(): Promise<void> {
    const voice = await this.connected();
    voice.beginSpeech(null);
    await this.wait(NOISE_MS);
    if (this.voice === voice) await voice.endSpeech(null, '');
  }

  async beep(): Promise<void> {
    await this.wait(BEEP_MS);
    this.announcementEnd = 'beep';
    this.events.emit('announced');
  }

  fallSilent(): void {
    this.announcementEnd = 'silence';
    this.events.emit('announced');
  }

  /** The result of a recording; null without an end within `ms` real milliseconds. */
  async untilAnnounced(ms: number): Promise<'beep' | 'silence' | null> {
    if (this.announcementEnd === null) await this.until('announced', ms);
    return this.announcementEnd;
  }

  /** Resolves when the callee has spoken this many times; rejects at the end of the call. */
  async untilSpoken(times: number): Promise<void> {
    while (this.utterances < times) await this.until('said');
  }

  async press(digit: string): Promise<void> {
    (await this.connected()).press(digit);
    await this.wait(KEY_MS);
  }

  async wait(ms: number): Promise<void> {
    await this.clockSpeed.sleep(ms, this.over);
  }

  private async connected(): Promise<Voice> {
    while (this.voice === null) await this.until('attached');
    return this.voice;
  }

  /** Resolves with the event or after `ms` real milliseconds; rejects at the end of the call. */
  private until(event: LineEvent, ms?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        timer?.clear();
        this.events.off(event, settle);
        this.over.removeEventListener('abort', settle);
        if (this.over.aborted) reject(this.over.reason);
        else resolve();
      };
      const timer = ms === undefined ? undefined : this.clockSpeed.after(ms, settle);
      this.events.on(event, settle);
      this.over.addEventListener('abort', settle);
      if (this.over.aborted) settle();
    });
  }
}
