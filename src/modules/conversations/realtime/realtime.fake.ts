import { FakeClock, settle } from '../engine/clock.fake.js';
import type { ModelTool } from '../../llm/language-model.js';
import {
  RealtimeModel,
  RealtimeModelError,
  type RealtimeConnection,
  type RealtimeEvent,
  type RealtimeItem,
  type RealtimeRequest,
  type RealtimeSettings,
} from '../../speech/realtime-model.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import { RealtimeSession } from './realtime-session.js';

/** One character of speech is this much audio: 60 ms. */
export const CHARACTER_BYTES = 480;
export const CHARACTER_MS = 60;

/** An audio line that plays nothing by itself: the test says when audio was played. */
export class FakeAudioLine implements AudioLine {
  readonly format = 'pcmu-8000';
  readonly openedAt = 0;
  readonly marks: string[] = [];
  played = 0;
  clears = 0;
  keys = '';
  ended: string | null = null;
  private listener: (event: AudioLineEvent) => void = () => undefined;

  play(audio: Buffer): void {
    this.played += audio.length;
  }

  mark(name: string): void {
    this.marks.push(name);
  }

  /** As carriers do: the marks come back. */
  clear(): void {
    this.clears += 1;
    for (const name of this.marks.splice(0)) this.listener({ kind: 'mark', name });
  }

  sendDigits(digits: string): void {
    this.keys += digits;
  }

  end(reason: string): void {
    this.ended = reason;
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
  }

  async happens(event: AudioLineEvent): Promise<void> {
    this.listener(event);
    await settle();
  }

  /** Everything up to the next mark was played. */
  playsOne(): Promise<void> {
    return this.happens({ kind: 'mark', name: this.marks.shift() ?? 'none' });
  }

  /** Everything up to this time of a speech was played. */
  async playsTo(endMs: number): Promise<void> {
    while (Number(this.marks[0]?.split(':').at(-1) ?? Infinity) <= endMs) await this.playsOne();
  }

  async playsAll(): Promise<void> {
    while (this.marks.length > 0) await this.playsOne();
  }
}

/** A model whose events the test sends. */
export class FakeRealtimeModel extends RealtimeModel implements RealtimeConnection {
  readonly log: unknown[] = [];
  readonly requests: RealtimeRequest[] = [];
  settings: RealtimeSettings | null = null;
  isAway = false;
  private listener: (event: RealtimeEvent) => void = () => undefined;

  override async connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    if (this.isAway) throw new RealtimeModelError('The realtime model cannot be reached');
    this.settings = settings;
    this.listener = onEvent;
    return this;
  }

  append(audio: Buffer): void {
    this.log.push(['append', audio.length]);
  }

  instruct(instructions: string, tools: readonly ModelTool[]): void {
    this.log.push(['instruct', instructions, tools.map(({ name }) => name)]);
  }

  listenIn(language: string): void {
    this.log.push(['listenIn', language]);
  }

  add(item: RealtimeItem, after?: string | null): void {
    this.log.push(['add', item, after]);
  }

  truncate(itemId: string, endMs: number): void {
    this.log.push(['truncate', itemId, endMs]);
  }

  respond(request: RealtimeRequest): void {
    this.log.push(['respond', request.response]);
    this.requests.push(request);
  }

  cancel(response: string): void {
    this.log.push(['cancel', response]);
  }

  close(): void {
    this.log.push(['close']);
  }

  /** The log's entries of one kind. */
  sent(kind: string): unknown[] {
    return this.log.filter((entry) => Array.isArray(entry) && entry[0] === kind);
  }

  async happens(...events: RealtimeEvent[]): Promise<void> {
    for (const event of events) this.listener(event);
    await settle();
  }

  /** The response that was asked for last says these words, each with its audio. */
  async says(text: string, response = this.requests.at(-1)?.response ?? ''): Promise<void> {
    const itemId = `item_${response}`;
    for (const word of text.match(/\S+\s*/g) ?? []) {
      const audio = Buffer.alloc(word.length * CHARACTER_BYTES);
      await this.happens(
        { kind: 'transcript', response, itemId, text: word },
        { kind: 'audio', response, itemId, audio },
      );
    }
  }

  ends(response = this.requests.at(-1)?.response ?? ''): Promise<void> {
    return this.happens({ kind: 'done', response, status: 'completed', usage: null });
  }

  /** Both. */
  async answers(text: string): Promise<void> {
    const response = this.requests.at(-1)?.response;
    await this.says(text, response);
    await this.ends(response);
  }

  async customer(text: string, itemId = `heard_${this.log.length}`): Promise<void> {
    await this.happens({ kind: 'speech', itemId, on: true });
    await this.happens({ kind: 'speech', itemId, on: false });
    await this.happens({ kind: 'heard', itemId, text });
  }
}

const SETTINGS: RealtimeSettings = {
  model: 'gpt-realtime',
  format: 'pcmu-8000',
  voice: 'alloy',
  speed: 1,
  language: 'en-US',
  reducesNoise: true,
  turnDetection: { by: 'silence', silenceMs: 600, threshold: 0.5 },
};

export const RULES = { allowInterruptions: true, interruptSensitivity: 0.5, minInterruptWords: 0 };

/** A session over fakes. */
export async function openSession(rules: Partial<typeof RULES> = {}, clock = new FakeClock()) {
  const line = new FakeAudioLine();
  const model = new FakeRealtimeModel();
  const session = new RealtimeSession(line, clock, SETTINGS, { ...RULES, ...rules });
  await session.open(model);
  return { clock, line, model, session };
}
