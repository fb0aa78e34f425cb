import type { CallSession, SpeechOptions } from '#src/modules/telephony/call-session.js';
import type { Clock } from './clock.js';
import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { SentSpeech } from './earlier-conversation.js';
import type { Transcript } from './transcript.js';
import type { Playback } from './playback.js';
import type { InterruptedSpeech } from './playback-listener.js';
import { endsInQuestion } from './interruption-policy.js';
import { removeHeardPart, Speech } from './speech.js';
import { PROTECTED } from './speech-options.js';

/** Rest of a speech up to which a word of the customer counts as a reply to it. */
const NEARLY_PLAYED_MS = 1_000;
const NEARLY_PLAYED_CHARACTERS = 15;
/** Stops preemptible speech before the next speech exists. */
const SILENT_TOKEN = ' ';

/** Tolerance of the estimated playback in sessions without reports. */
const UNREPORTED_MS = 1_000;
/** Wait for words after an interrupting sound; without words the interrupted speech continues. */
const TRANSCRIPT_TIMEOUT_MS = 2_000;

/** Duration of a key at the carrier, and of a `w`. */
const KEY_MS = 300;
const PAUSE_MS = 500;

export interface SpeakerDependencies {
  clock: Clock;
  session: CallSession;
  playback: Playback;
  transcript: Transcript;
  options: SpeechOptions;
  isCustomerSpeaking: () => boolean;
}

/** The rest of speech interrupted by a sound. */
interface HeldSpeech {
  entry: AssistantEntry;
  text: string;
  /** Whether the model may add to it. */
  open: boolean;
  /** The model was stopped before its end. */
  isCut: boolean;
}

/** Sends the assistant's speech to the call session and records its heard part. */
export class Speaker {
  private current: Speech | null = null;
  private held: HeldSpeech | null = null;
  private released: (() => void)[] = [];
  private cancelHold: () => void = () => undefined;
  /** Resolves when the pending keys are sent. */
  private keys: Promise<void> | null = null;

  private readonly clock: Clock;
  private readonly session: CallSession;
  private readonly playback: Playback;
  private readonly transcript: Transcript;
  private readonly options: SpeechOptions;

  constructor(private readonly dependencies: SpeakerDependencies) {
    const { clock, session, playback, transcript, options } = dependencies;
    this.clock = clock;
    this.session = session;
    this.playback = playback;
    this.transcript = transcript;
    this.options = options;
  }

  get isPlaying(): boolean {
    return this.playback.isPlaying;
  }

  /** Whether uninterruptible speech is playing. */
  get isProtected(): boolean {
    return this.playback.isProtected;
  }

  /** Whether the rest of an interrupted speech is held. */
  get isSpeechHeld(): boolean {
    return this.held !== null;
  }

  /** Whether speech is playing or held. */
  get isTalking(): boolean {
    return this.isPlaying || this.isSpeechHeld;
  }

  /** Whether words are a reply, though the speech is not over. @param language BCP 47 */
  awaitsReply(language: string): boolean {
    const heard = this.held?.entry.text ?? this.playback.heardText;
    return this.isNearlyPlayed || endsInQuestion(heard, language);
  }

  get isNearlyPlayed(): boolean {
    if (this.held)
      return !this.held.open && !this.held.isCut && this.held.text.length <= NEARLY_PLAYED_CHARACTERS;
    return this.current === null && this.playback.remainingMs <= NEARLY_PLAYED_MS;
  }

  waitUntilSilent(): Promise<void> {
    return this.playback.waitUntilSilent();
  }

  /** Resolves when all speech was played or discarded. */
  async waitUntilPlayed(): Promise<void> {
    while (this.isPlaying || this.held) {
      await (this.held
        ? new Promise<void>((resolve) => this.released.push(resolve))
        : this.waitUntilSilent());
    }
    if (this.playback.isEndReported) return;
    await new Promise<void>((resolve) => this.clock.setTimeout(resolve, UNREPORTED_MS));
  }

  /** Resolves when no keys are being sent. */
  waitUntilKeysSent(): Promise<void> {
    return this.keys ?? Promise.resolve();
  }

  /** Sends keys after all speech was played. @returns their duration in milliseconds */
  async sendKeys(digits: string): Promise<number> {
    const ms = [...digits].reduce((sum, key) => sum + (key === 'w' ? PAUSE_MS : KEY_MS), 0);
    const sent = (this.keys = this.sendAfter(this.waitUntilKeysSent(), digits, ms));
    await sent;
    if (this.keys === sent) this.keys = null;
    return ms;
  }

  private async sendAfter(earlier: Promise<void>, digits: string, ms: number): Promise<void> {
    await earlier;
    await this.waitUntilPlayed();
    this.session.sendDigits(digits);
    await new Promise<void>((resolve) => this.clock.setTimeout(resolve, ms));
  }

  /**
   * Records the greeting spoken by the carrier when the session opens; sessions that play audio speak it here.
   *
   * @param before the beginning of the text that the carrier spoke before the session
   */
  recordGreeting(text: string, before = ''): void {
    const speech = this.openSpeech(this.transcript.memory.addAssistant(), {
      textFirst: this.session.openedAt,
    });
    this.playback.addText(speech, text);
    speech.playedTo = before.length;
    if (this.session.playsAudio) speech.timings.heardTo = before.length;
    const rest = text.slice(before.length).trim();
    if (this.session.playsAudio && rest !== '') this.session.say(rest, true, this.options);
    this.closeSpeech();
  }

  /** Tracks the speech sent by another process to this session; its unfinished response ends there. */
  resumeSentSpeech(sent: readonly SentSpeech[]): void {
    this.session.say('', true, this.options);
    for (const { seq, text, timings } of sent) {
      const entry = this.transcript.memory.findStoredEntry(seq);
      this.playback.resumeSpeech(new Speech(entry, { ...timings }, '', { seq, text }));
    }
  }

  /** Waits while held speech is undecided, and for the end of playback that newer speech would stop. */
  async waitUntilSpeechAllowed(): Promise<void> {
    while (this.held) await new Promise<void>((resolve) => this.released.push(resolve));
    if (this.options.preemptible) await this.waitUntilSilent();
  }

  /** Sends a token of the current speech; the first one starts it. */
  say(token: string, entry: AssistantEntry, timings: TurnTimings): void {
    if (this.held) {
      this.held.text += token;
      return;
    }
    const speech = this.current ?? this.openSpeech(entry, { ...timings, textFirst: this.clock.now() });
    this.playback.addText(speech, token);
    this.session.say(token, false, this.options);
    this.transcript.storeProgress(speech);
  }

  /** Ends the current speech, if there is one. */
  finishSpeech(): void {
    if (this.held) this.held.open = false;
    if (!this.current) return;
    this.session.say('', true, this.options);
    this.closeSpeech();
  }

  /** The model was stopped: nothing is added to the current speech. */
  cutSpeech(): void {
    if (this.held?.open) this.held.isCut = true;
    this.finishSpeech();
  }

  /** Speaks a built-in sentence, for example a goodbye. */
  saySentence(text: string): void {
    this.resumeHeldSpeech();
    if (this.isProtected) this.finishSpeech();
    else this.bargeIn();
    this.speakSentence(text, this.transcript.memory.addAssistant());
  }

  /** Speaks without interruptions. */
  sayProtected(text: string): void {
    this.speakSentence(text, this.transcript.memory.addAssistant(), PROTECTED);
  }

  /** Speaks a filler, which is recorded but not sent to the model. */
  sayFiller(text: string): void {
    if (!this.keys) this.speakSentence(text, null, { ...this.options, optional: true });
  }

  /** The session ended. @param playsOn whether the sent speech is still played, without tracking by this process */
  endSession(playsOn = false): void {
    this.discardHeldSpeech();
    if (playsOn) return this.finishSpeech();
    this.current = null;
    for (const cut of this.playback.endSession()) this.transcript.truncateTurn(cut);
  }

  /** A sound stopped the speech. Its rest is held until words follow, or the sound turns out to be noise. */
  holdInterruptedSpeech(heard: string): void {
    const open = this.current !== null || (this.held?.open ?? false);
    const earlier = this.held;
    if (this.current) this.session.say('', true, this.options);
    this.current = null;
    const cuts = this.playback.interrupt(heard);
    for (const cut of cuts) this.transcript.truncateTurn(cut);
    const spoken = cuts.filter(({ speech }) => speech.entry);
    const entry = earlier?.entry ?? spoken.at(-1)?.speech.entry;
    const left = [...spoken.map(unheardText), earlier?.text ?? ''].filter(Boolean).join(' ');
    const rest = open ? left : left.trimEnd();
    if (!entry || (rest === '' && !open)) return;
    this.held = { entry, text: rest, open, isCut: earlier?.isCut ?? false };
    this.awaitTranscript();
  }

  private awaitTranscript(): void {
    this.cancelHold();
    this.cancelHold = this.clock.setTimeout(
      () => void (this.dependencies.isCustomerSpeaking() ? this.awaitTranscript() : this.resumeHeldSpeech()),
      TRANSCRIPT_TIMEOUT_MS,
    );
  }

  /** After a sound without words: continues the interrupted speech. @returns whether its end is missing */
  resumeHeldSpeech(): boolean {
    const held = this.held;
    this.discardHeldSpeech();
    if (held && held.text !== '') {
      this.say(held.text, held.entry, {});
      if (!held.open) this.finishSpeech();
    }
    return held?.isCut ?? false;
  }

  /** After words of the customer: drops the rest. */
  discardHeldSpeech(): void {
    this.cancelHold();
    this.held = null;
    for (const resolve of this.released.splice(0)) resolve();
  }

  /**
   * Stops preemptible speech; its heard part is known when it has stopped. Other speech was stopped by the carrier, or
   * continues: the carrier has no command to stop it.
   */
  bargeIn(): void {
    this.discardHeldSpeech();
    this.finishSpeech();
    if (!this.options.preemptible || !this.isPlaying) return;
    for (const cut of this.playback.bargeIn()) this.transcript.truncateMemory(cut);
    this.session.say(SILENT_TOKEN, true, this.options);
  }

  private speakSentence(text: string, entry: AssistantEntry | null, options = this.options): void {
    const speech = this.openSpeech(entry, { textFirst: this.clock.now() });
    speech.isProtected = options === PROTECTED;
    this.playback.addText(speech, text);
    this.session.say(text, true, options);
    this.closeSpeech();
  }

  private openSpeech(entry: AssistantEntry | null, timings: TurnTimings): Speech {
    this.current = new Speech(entry, this.session.playsAudio ? { ...timings, heardTo: 0 } : timings);
    this.playback.beginSpeech(this.current, timings.textFirst);
    return this.current;
  }

  private closeSpeech(): void {
    const speech = this.current;
    this.current = null;
    if (!speech) return;
    this.transcript.storeSent(speech);
    this.playback.completeSpeech(speech);
  }
}

const unheardText = ({ speech, heard }: InterruptedSpeech): string => removeHeardPart(speech.text, heard);
