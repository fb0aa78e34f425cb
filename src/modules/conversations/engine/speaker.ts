import type { CallSession, SpeechOptions } from '#src/modules/telephony/call-session.js';
import type { Clock } from './clock.js';
import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { SentSpeech } from './earlier-conversation.js';
import type { Transcript } from './transcript.js';
import type { Cut, Playback } from './playback.js';
import { restAfter, Speech } from './speech.js';

/** What the law wants said is heard whatever the customer does. */
const PROTECTED: SpeechOptions = { interruptible: false, preemptible: false };
/** When no more than this is left of a speech, a word of the customer is an answer to it. */
const NEARLY_HEARD_MS = 1_000;
const NEARLY_HEARD_CHARACTERS = 15;
/** Stops speech that gives way to newer speech before the newer speech exists. */
const NOTHING = ' ';

/** A session that does not report its speech may play it for this much longer than estimated. */
const UNREPORTED_MS = 1_000;
/** Words follow a sound that interrupts within this time; else the interrupted speech goes on. */
const WORDS_LIMIT_MS = 2_000;

/** How long the carrier takes to send a key, and to wait for a `w`. */
const KEY_MS = 300;
const PAUSE_MS = 500;

/** What stops the assistant: the carrier at a sound, newer speech where the engine counts words, or nothing. */
export const speechOptions = (
  settings: Pick<ConversationSettings, 'allowInterruptions' | 'minInterruptWords'>,
): SpeechOptions => ({
  interruptible: settings.allowInterruptions && settings.minInterruptWords <= 1,
  preemptible: settings.allowInterruptions && settings.minInterruptWords > 1,
});

export interface SpeakerParts {
  clock: Clock;
  session: CallSession;
  playback: Playback;
  transcript: Transcript;
  options: SpeechOptions;
  customerSpeaks: () => boolean;
}

/** The rest of speech that a sound cut off. */
interface Held {
  entry: AssistantEntry;
  text: string;
  /** The model has not finished it yet. */
  open: boolean;
}

/** Sends the assistant's speech to the call session and records what was heard. */
export class Speaker {
  private current: Speech | null = null;
  private held: Held | null = null;
  private released: (() => void)[] = [];
  private cancelHold: () => void = () => undefined;
  /** Resolves when the keys are sent. */
  private keys: Promise<void> | null = null;

  private readonly clock: Clock;
  private readonly session: CallSession;
  private readonly playback: Playback;
  private readonly transcript: Transcript;
  private readonly options: SpeechOptions;

  constructor(private readonly parts: SpeakerParts) {
    const { clock, session, playback, transcript, options } = parts;
    this.clock = clock;
    this.session = session;
    this.playback = playback;
    this.transcript = transcript;
    this.options = options;
  }

  get playing(): boolean {
    return this.playback.playing;
  }

  /** Whether speech is playing that nothing stops. */
  get mustBeHeard(): boolean {
    return this.playback.mustBeHeard;
  }

  /** Whether the rest of a speech that a sound cut off may still be said. */
  get holding(): boolean {
    return this.held !== null;
  }

  get nearlyHeard(): boolean {
    if (this.held) return !this.held.open && this.held.text.length <= NEARLY_HEARD_CHARACTERS;
    return this.current === null && this.playback.remainingMs <= NEARLY_HEARD_MS;
  }

  silent(): Promise<void> {
    return this.playback.silent();
  }

  /** Resolves when all speech was surely heard or cut for good. */
  async heardOut(): Promise<void> {
    while (this.playing || this.held) {
      await (this.held ? new Promise<void>((resolve) => this.released.push(resolve)) : this.silent());
    }
    if (this.playback.endIsKnown) return;
    await new Promise<void>((resolve) => this.clock.setTimeout(resolve, UNREPORTED_MS));
  }

  /** Nothing is said until the keys that are being pressed are sent. */
  keysSent(): Promise<void> {
    return this.keys ?? Promise.resolve();
  }

  /** Presses keys when all speech was heard. @returns when they are sent, how many milliseconds they took */
  async press(digits: string): Promise<number> {
    const ms = [...digits].reduce((sum, key) => sum + (key === 'w' ? PAUSE_MS : KEY_MS), 0);
    const sent = (this.keys = this.sendAfter(this.keysSent(), digits, ms));
    await sent;
    if (this.keys === sent) this.keys = null;
    return ms;
  }

  private async sendAfter(earlier: Promise<void>, digits: string, ms: number): Promise<void> {
    await earlier;
    await this.heardOut();
    this.session.sendDigits(digits);
    await new Promise<void>((resolve) => this.clock.setTimeout(resolve, ms));
  }

  /**
   * Records the greeting, which the carrier speaks when the session opens. A session that plays audio speaks it here.
   *
   * @param before the beginning of the text, where the carrier said it before the session
   */
  greeted(text: string, before = ''): void {
    const speech = this.open(this.transcript.memory.assistant(), { textFirst: this.session.openedAt });
    this.playback.add(speech, text);
    speech.playedTo = before.length;
    if (this.session.playsAudio) speech.timings.heardTo = before.length;
    const rest = text.slice(before.length).trim();
    if (this.session.playsAudio && rest !== '') this.session.say(rest, true, this.options);
    this.close();
  }

  /** Follows what another process sent to this session; an answer that it did not finish ends there. */
  resumed(sent: readonly SentSpeech[]): void {
    this.session.say('', true, this.options);
    for (const { seq, text, timings } of sent) {
      const entry = this.transcript.memory.storedAnswer(seq);
      this.playback.resume(new Speech(entry, { ...timings }, '', { seq, text }));
    }
  }

  /** Waits for the end of playback when newer speech would cut it off, and for a decision on speech that was cut. */
  async floor(): Promise<void> {
    while (this.held) await new Promise<void>((resolve) => this.released.push(resolve));
    if (this.options.preemptible) await this.silent();
  }

  /** Sends a token of the current speech; the first one begins it. */
  say(token: string, entry: AssistantEntry, timings: TurnTimings): void {
    if (this.held) {
      this.held.text += token;
      return;
    }
    const speech = this.current ?? this.open(entry, { ...timings, textFirst: this.clock.now() });
    this.playback.add(speech, token);
    this.session.say(token, false, this.options);
    this.transcript.saying(speech);
  }

  /** Ends the current speech, if there is one. */
  finish(): void {
    if (this.held) this.held.open = false;
    if (!this.current) return;
    this.session.say('', true, this.options);
    this.close();
  }

  /** Speaks a built-in sentence, for example a goodbye. */
  sayWhole(text: string): void {
    this.resume();
    this.finish();
    if (this.options.preemptible && !this.mustBeHeard) this.cut();
    this.speakWhole(text, this.transcript.memory.assistant());
  }

  /** Speaks what must be heard in full. */
  sayProtected(text: string): void {
    this.speakWhole(text, this.transcript.memory.assistant(), PROTECTED);
  }

  /** Speaks a filler, which neither the model nor the transcript gets. */
  fill(text: string): void {
    if (!this.keys) this.speakWhole(text, null);
  }

  /** Stops all speech and shortens the transcript to what was heard. */
  cut(): void {
    this.drop();
    this.finish();
    for (const cut of this.playback.cut(null)) this.transcript.cut(cut);
  }

  /** The session is over. @param playsOn what was sent is still heard, although this process does not follow it */
  ended(playsOn = false): void {
    this.drop();
    if (playsOn) return this.finish();
    this.current = null;
    for (const cut of this.playback.end()) this.transcript.cut(cut);
  }

  /** A sound stopped the speech. Its rest is kept until it is clear whether words follow: else the sound was noise. */
  interrupted(heard: string): void {
    const open = this.current !== null || (this.held?.open ?? false);
    const earlier = this.held;
    if (this.current) this.session.say('', true, this.options);
    this.current = null;
    const cuts = this.playback.cut(heard);
    for (const cut of cuts) this.transcript.cut(cut);
    const spoken = cuts.filter(({ speech }) => speech.entry);
    const entry = earlier?.entry ?? spoken.at(-1)?.speech.entry;
    const left = [...spoken.map(restOf), earlier?.text ?? ''].filter(Boolean).join(' ');
    const rest = open ? left : left.trimEnd();
    if (!entry || (rest === '' && !open)) return;
    this.held = { entry, text: rest, open };
    this.awaitWords();
  }

  private awaitWords(): void {
    this.cancelHold();
    this.cancelHold = this.clock.setTimeout(
      () => (this.parts.customerSpeaks() ? this.awaitWords() : this.resume()),
      WORDS_LIMIT_MS,
    );
  }

  /** It was a sound without words: goes on where the speech was cut. */
  resume(): void {
    const held = this.held;
    this.drop();
    if (!held || held.text === '') return;
    this.say(held.text, held.entry, {});
    if (!held.open) this.finish();
  }

  /** The customer has something to say: the rest stays unsaid. */
  drop(): void {
    this.cancelHold();
    this.held = null;
    for (const resolve of this.released.splice(0)) resolve();
  }

  /**
   * Stops speech that only newer speech can stop; what of it is heard is known when it has stopped. Other speech was
   * stopped by the carrier, or goes on: the carrier takes no order to stop it.
   */
  giveWay(): void {
    this.drop();
    this.finish();
    if (!this.options.preemptible) return;
    for (const cut of this.playback.giveWay()) this.transcript.cutForNow(cut);
    this.session.say(NOTHING, true, this.options);
  }

  private speakWhole(text: string, entry: AssistantEntry | null, options = this.options): void {
    const speech = this.open(entry, { textFirst: this.clock.now() });
    speech.mustBeHeard = options === PROTECTED;
    this.playback.add(speech, text);
    this.session.say(text, true, options);
    this.close();
  }

  private open(entry: AssistantEntry | null, timings: TurnTimings): Speech {
    this.current = new Speech(entry, this.session.playsAudio ? { ...timings, heardTo: 0 } : timings);
    this.playback.begin(this.current, timings.textFirst);
    return this.current;
  }

  private close(): void {
    const speech = this.current;
    this.current = null;
    if (!speech) return;
    this.transcript.said(speech);
    this.playback.complete(speech);
  }
}

const restOf = ({ speech, heard }: Cut): string => restAfter(speech.text, heard);
