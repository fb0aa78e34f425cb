import type { CallSession, SpeechOptions } from '#src/modules/telephony/call-session.js';
import type { Clock } from './clock.js';
import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { Transcript } from './transcript.js';
import type { Playback } from './playback.js';
import { Speech } from './speech.js';

/** Sends the assistant's speech to the call session and records what was heard. */
export class Speaker {
  private current: Speech | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly session: CallSession,
    private readonly playback: Playback,
    private readonly transcript: Transcript,
    private readonly options: SpeechOptions,
  ) {}

  get playing(): boolean {
    return this.playback.playing;
  }

  /** Whether a speech has begun and not finished. */
  get midSpeech(): boolean {
    return this.current !== null;
  }

  silent(): Promise<void> {
    return this.playback.silent();
  }

  /** As `silent`, but waits no longer than the limit. */
  silentWithin(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.setTimeout(resolve, limitMs);
      void this.silent().then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Records the greeting, which the carrier speaks when the session opens. */
  greeted(text: string): void {
    const speech = this.open(this.transcript.memory.assistant(), {});
    this.playback.add(speech, text);
    this.close();
  }

  /** Waits for the end of playback when newer speech would cut it off. */
  async floor(): Promise<void> {
    if (this.options.preemptible) await this.silent();
  }

  /** Sends a token of the current speech; the first one begins it. */
  say(token: string, entry: AssistantEntry, timings: TurnTimings): void {
    const speech = this.current ?? this.open(entry, { ...timings, textFirst: this.clock.now() });
    this.playback.add(speech, token);
    this.session.say(token, false, this.options);
  }

  /** Ends the current speech, if there is one. */
  finish(): void {
    if (!this.current) return;
    this.session.say('', true, this.options);
    this.close();
  }

  /** Speaks a built-in sentence, for example a goodbye. */
  sayWhole(text: string): void {
    this.finish();
    if (this.options.preemptible) this.cut(null);
    this.speakWhole(text, this.transcript.memory.assistant());
  }

  /** Speaks a filler, which neither the model nor the transcript gets. */
  fill(text: string): void {
    this.speakWhole(text, null);
  }

  /** Stops all speech and shortens the transcript to what was heard. */
  cut(heard: string | null): void {
    if (this.current) this.session.say('', true, this.options);
    this.current = null;
    for (const cut of this.playback.cut(heard)) this.transcript.cut(cut);
  }

  private speakWhole(text: string, entry: AssistantEntry | null): void {
    const speech = this.open(entry, { textFirst: this.clock.now() });
    this.playback.add(speech, text);
    this.session.say(text, true, this.options);
    this.close();
  }

  private open(entry: AssistantEntry | null, timings: TurnTimings): Speech {
    this.current = new Speech(entry, timings);
    this.playback.begin(this.current);
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
