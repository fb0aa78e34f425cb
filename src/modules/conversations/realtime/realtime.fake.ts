import { FakeClock, flushPromises } from '../engine/clock.fake.js';
import type { ModelTool } from '../../llm/language-model.js';
import {
  RealtimeModel,
  RealtimeModelError,
  type RealtimeConnection,
  type RealtimeEvent,
  type RealtimeItem,
  type RealtimeRequest,
  type RealtimeSettings,
  type TurnDetection,
} from '../../speech/realtime-model.js';
import { EnergyVoiceDetector } from '../../speech/audio/energy-voice-detector.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import { RealtimeSession } from './realtime-session.js';

/** Audio of one character of speech: 60 ms. */
export const CHARACTER_BYTES = 480;
export const CHARACTER_MS = 60;

/** An audio line with playback under the control of the test. */
export class FakePhoneLine implements AudioLine {
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

  /** As carriers do: the marks return. */
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

  async emit(event: AudioLineEvent): Promise<void> {
    this.listener(event);
    await flushPromises();
  }

  /** The customer's voice, or silence, in pieces of 20 ms. */
  async hears(clock: FakeClock, ms: number, isVoice = true): Promise<void> {
    for (let at = 0; at < ms; at += 20) {
      await clock.advance(20);
      await this.emit({ kind: 'audio', audio: Buffer.alloc(160, isVoice ? 0x00 : 0xff) });
    }
  }

  /** Plays everything up to the next mark. */
  playsOne(): Promise<void> {
    return this.emit({ kind: 'mark', name: this.marks.shift() ?? 'none' });
  }

  /** Plays everything up to this time of a speech. */
  async playsTo(endMs: number): Promise<void> {
    while (Number(this.marks[0]?.split(':').at(-1) ?? Infinity) <= endMs) await this.playsOne();
  }

  async playsAll(): Promise<void> {
    while (this.marks.length > 0) await this.playsOne();
  }
}

/** A model with events sent by the test. */
export class FakeRealtimeModel extends RealtimeModel implements RealtimeConnection {
  readonly log: unknown[] = [];
  readonly requests: RealtimeRequest[] = [];
  settings: RealtimeSettings | null = null;
  isAway = false;
  connects = 0;
  private listener: (event: RealtimeEvent) => void = () => undefined;

  override async connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    this.connects += 1;
    if (this.isAway) throw new RealtimeModelError('The realtime model cannot be reached');
    this.settings = settings;
    this.listener = onEvent;
    return this;
  }

  appendAudio(audio: Buffer): void {
    this.log.push(['append', audio.length]);
  }

  commitAudio(): void {
    this.log.push(['commit']);
  }

  updateInstructions(instructions: string, tools: readonly ModelTool[]): void {
    this.log.push(['instruct', instructions, tools.map(({ name }) => name)]);
  }

  setTranscriptionLanguage(language: string): void {
    this.log.push(['listenIn', language]);
  }

  setTurnDetection(detection: TurnDetection): void {
    this.log.push(['detect', detection]);
  }

  addItem(item: RealtimeItem, after?: string | null): void {
    this.log.push(['add', item, after]);
  }

  truncateItem(itemId: string, endMs: number): void {
    this.log.push(['truncate', itemId, endMs]);
  }

  deleteItem(itemId: string): void {
    this.log.push(['delete', itemId]);
  }

  createResponse(request: RealtimeRequest): void {
    this.log.push(['respond', request.response]);
    this.requests.push(request);
  }

  cancelResponse(response: string): void {
    this.log.push(['cancel', response]);
  }

  /** No event follows. */
  close(): void {
    this.log.push(['close']);
    this.listener = () => undefined;
  }

  /** The log's entries of one kind. */
  sent(kind: string): unknown[] {
    return this.log.filter((entry) => Array.isArray(entry) && entry[0] === kind);
  }

  async emit(...events: RealtimeEvent[]): Promise<void> {
    for (const event of events) this.listener(event);
    await flushPromises();
  }

  /** Sends these words as the last requested response, each with its audio. */
  async says(text: string, response = this.requests.at(-1)?.response ?? ''): Promise<void> {
    const itemId = `item_${response}`;
    for (const word of text.match(/\S+\s*/g) ?? []) {
      const audio = Buffer.alloc(word.length * CHARACTER_BYTES);
      await this.emit(
        { kind: 'transcript', response, itemId, text: word },
        { kind: 'audio', response, itemId, audio },
      );
    }
  }

  ends(response = this.requests.at(-1)?.response ?? ''): Promise<void> {
    return this.emit({ kind: 'done', response, status: 'completed', usage: null });
  }

  /** Both. */
  async answers(text: string): Promise<void> {
    const response = this.requests.at(-1)?.response;
    await this.says(text, response);
    await this.ends(response);
  }

  async customer(text: string, itemId = `heard_${this.log.length}`): Promise<void> {
    await this.emit({ kind: 'speech', itemId, on: true });
    await this.commits(itemId);
    await this.emit({ kind: 'heard', itemId, text });
  }

  /** The customer's turn ends. */
  async commits(itemId: string): Promise<void> {
    await this.emit({ kind: 'speech', itemId, on: false }, { kind: 'committed', itemId });
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

export const INTERRUPTION_RULES = {
  allowInterruptions: true,
  interruptSensitivity: 0.5,
  minInterruptWords: 0,
};

/** A session over fakes. */
export async function openSession(
  rules: Partial<typeof INTERRUPTION_RULES> = {},
  clock = new FakeClock(),
  line = new FakePhoneLine(),
  toLine: (line: FakePhoneLine) => AudioLine = (own) => own,
  turnDetection = SETTINGS.turnDetection,
) {
  const model = new FakeRealtimeModel();
  const rulesOf = { ...INTERRUPTION_RULES, ...rules };
  const settings = { ...SETTINGS, turnDetection };
  const session = new RealtimeSession(toLine(line), clock, settings, rulesOf, new EnergyVoiceDetector());
  await session.connect(model);
  return { clock, line, model, session };
}
