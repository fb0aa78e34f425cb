import type { FakeClock } from '#src/modules/conversations/engine/clock.fake.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import type { CustomerLine, LineEvents, PressedKeys } from './customer-line.js';
import {
  Recognition,
  recognitionTimes,
  type Prompt,
  type Recognised,
  type WordsAfter,
} from './recognition.js';
import { milliseconds, type CallFacts } from './scenario.types.js';
import type { ScriptedRealtime } from './scripted-realtime.js';
import { SpeechAudio } from './speech-audio.js';
import { SpeechQueue, wordsOf, type Said, type Talk } from './speech-queue.js';

const KEY_MS = 200;
/** Of a recogniser, after the end of an utterance. */
const WORDS_AFTER_MS = 500;

/** Between a mark and the same one, where marks come back twice. */
const SECOND_MARK_MS = 100;

/** A word is heard before the space that follows it. */
const spokenWords = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? [];

interface Mark {
  name: string;
  /** Characters that are played before it. */
  after: number;
  isTimed: boolean;
}

/**
 * The customer's telephone on an audio line. It plays what the realtime model spoke, and sends marks back when
 * everything before them was played. What the customer says goes to the model as words: the audio of it is not needed. The model
 * has them when the utterance has ended, its transcript comes later.
 */
export class ScriptedAudioLine implements AudioLine, CustomerLine {
  readonly format = 'pcmu-8000';
  readonly speech: SpeechQueue;
  readonly prompts: Prompt[] = [];
  readonly keysPressed: PressedKeys[] = [];
  readonly handoff = {};
  openedAt = 0;
  private readonly audio: SpeechAudio;
  private readonly recognition: Recognition;
  private readonly msPerCharacter: number;
  private readonly talks = new Map<number, Talk>();
  private marks: Mark[] = [];
  /** Places in `speech.said`. */
  private readonly notices = new Set<number>();
  /** Bytes. */
  private sent = 0;
  /** Of them, those whose words are not in `talks` yet. */
  private pending: Buffer[] = [];
  /** Characters. */
  private played = 0;
  private isOpen = false;
  private listener: (event: AudioLineEvent) => void = () => undefined;

  constructor(
    private readonly clock: FakeClock,
    private readonly call: CallFacts,
    private readonly model: ScriptedRealtime,
    private readonly on: LineEvents,
  ) {
    this.msPerCharacter = call.ms_per_character;
    this.audio = new SpeechAudio(this.msPerCharacter);
    const times = recognitionTimes(call, WORDS_AFTER_MS, () => this.model.silenceMs);
    this.recognition = new Recognition(clock, times, () => this.utterance());
    this.speech = new SpeechQueue(clock, call.ms_per_character, milliseconds(call.speech_delay), {
      began: () => {
        this.timeMarks();
        on.moment('assistant speaks');
      },
      wordPlayed: (word) => this.wordPlayed(word),
      silent: () => on.moment('assistant has spoken'),
    });
    model.onSpoken((speech) => this.complete(speech));
  }

  /** A notice of the carrier's and the greeting that follows it at once are one speech to the customer, and in the record. */
  get said(): readonly Said[] {
    const joined: Said[] = [];
    for (const [index, one] of this.speech.said.entries()) {
      const notice = this.notices.has(index - 1) ? joined.pop() : undefined;
      if (notice) joined.push({ ...one, text: `${notice.text} ${one.text}`, begins: notice.begins });
      else joined.push(one);
    }
    return joined;
  }

  /** The carrier opens the stream. */
  open(): void {
    const { said } = this.speech;
    this.isOpen = true;
    this.openedAt = this.clock.now();
    if (said.at(-1)?.ends === this.openedAt) this.notices.add(said.length - 1);
  }

  announce(text: string, language: string): void {
    const talk = { words: wordsOf(text), complete: true, interruptible: 'none', preemptible: false };
    this.speech.begin({ ...talk, language });
  }

  /** What is sent at once may be in pieces that end within a word. */
  play(audio: Buffer): void {
    if (!this.isOpen) return;
    this.sent += audio.length;
    if (this.pending.length === 0) queueMicrotask(() => this.speak());
    this.pending.push(audio);
  }

  private speak(): void {
    if (this.pending.length === 0) return;
    const { text, speech } = this.audio.decode(Buffer.concat(this.pending));
    this.pending = [];
    const talk = this.talks.get(speech);
    if (talk) {
      talk.words.push(...spokenWords(text));
      return this.speech.go();
    }
    const complete = this.model.hasSpoken(speech);
    const { language } = this.model;
    const begun = { words: spokenWords(text), complete, interruptible: 'none', preemptible: false, language };
    this.talks.set(speech, begun);
    this.speech.begin(begun);
  }

  mark(name: string): void {
    if (!this.isOpen) return;
    this.marks.push({ name, after: this.audio.characters(this.sent), isTimed: false });
    // As carriers do: at once where no audio is before it.
    queueMicrotask(() => this.returnMarks());
  }

  clear(): void {
    if (!this.isOpen) return;
    this.speech.stop();
    this.talks.clear();
    this.skip();
    this.returnMarks();
  }

  sendDigits(digits: string): void {
    if (this.isOpen && !this.speech.current) this.keysPressed.push({ digits, at: this.clock.now() });
  }

  end(): void {
    if (this.isOpen) this.on.ended();
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
  }

  async customer(text: string, takesMs: number, wordsAfterMs?: WordsAfter): Promise<void> {
    await this.recognition.hear(text, takesMs, wordsAfterMs);
  }

  async noise(ms: number): Promise<void> {
    await this.recognition.hear('', ms);
  }

  async keys(digits: string): Promise<void> {
    for (const digit of digits) {
      if (this.isOpen) this.listener({ kind: 'digit', digit });
      await this.wait(KEY_MS);
    }
  }

  /** Frames of the relay do not exist here. */
  frame(): void {}

  disconnect(): void {
    const wasOpen = this.isOpen;
    this.speech.stop();
    this.talks.clear();
    this.marks = [];
    this.recognition.stop();
    this.skip();
    this.isOpen = false;
    if (wasOpen) this.listener({ kind: 'closed' });
  }

  private utterance(): Recognised {
    const item = this.isOpen ? this.model.customerBegins() : null;
    let endedAt = 0;
    return {
      interim: (word) => item?.interim(word),
      ended: (text) => {
        endedAt = this.clock.now();
        item?.ended(text);
      },
      known: (text) => {
        if (text !== '') this.prompts.push({ endedAt, knownAt: this.clock.now() });
        item?.known(text);
      },
    };
  }

  /** The model has said all of a speech. */
  private complete(speech: number): void {
    const talk = this.talks.get(speech);
    if (!talk) return;
    talk.complete = true;
    this.speech.go();
  }

  private wordPlayed(word: string): void {
    if (!this.isOpen) return;
    this.played += word.length;
    this.returnMarks();
    this.timeMarks();
  }

  /** Marks within words come back at their time: all that was sent is played without a pause. */
  private timeMarks(): void {
    for (const mark of this.marks.filter(({ isTimed }) => !isTimed)) {
      mark.isTimed = true;
      // A mark at the end of a word comes back with the word.
      const ms = Math.ceil((mark.after - this.played) * this.msPerCharacter) + 1;
      this.clock.setTimeout(() => this.returnMark(mark), ms);
    }
  }

  private returnMark(mark: Mark): void {
    if (!this.isOpen || !this.marks.includes(mark)) return;
    this.marks = this.marks.filter((one) => one !== mark);
    this.passOn(mark);
  }

  private skip(): void {
    this.pending = [];
    this.played = this.audio.characters(this.sent);
  }

  private returnMarks(): void {
    // Audio that goes on within a speech begins a byte beside the edge of a character.
    const heard = this.played + 0.5;
    const due = this.marks.filter(({ after }) => after <= heard);
    this.marks = this.marks.filter(({ after }) => after > heard);
    for (const mark of due) this.passOn(mark);
  }

  private passOn({ name }: Mark): void {
    const lateMs = milliseconds(this.call.marks_after);
    const report = (): void => {
      if (this.isOpen) this.listener({ kind: 'mark', name });
    };
    if (lateMs === 0) report();
    else this.clock.setTimeout(report, lateMs);
    if (this.call.marks_twice) this.clock.setTimeout(report, lateMs + SECOND_MARK_MS);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, ms));
  }
}
