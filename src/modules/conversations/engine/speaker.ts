import type { CallSession, SpeechOptions } from '#src/modules/telephony/call-session.js';
import type { Clock } from './clock.js';
import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { Transcript } from './transcript.js';
import type { Playback } from './playback.js';
import { Speech } from './speech.js';

/** The assistant's mouth: gives speech to the line and keeps account of what was heard. */
export class Speaker {
  private current: Speech | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly leg: CallSession,
    private readonly playback: Playback,
    private readonly transcript: Transcript,
    private readonly options: SpeechOptions,
  ) {}

  get playing(): boolean {
    return this.playback.playing;
  }

  /** Whether a speech has begun whose last token is still to come. */
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

  /** The line speaks this by itself as soon as it is open. */
  greeted(text: string): void {
    const speech = this.open(this.transcript.memory.assistant(), {});
    this.playback.add(speech, text);
    this.close();
  }

  /** Where newer speech would cut off what is still played, it waits for its turn. */
  async floor(): Promise<void> {
    if (this.options.preemptible) await this.silent();
  }

  /** One token of the running speech; the first one begins it. */
  say(token: string, entry: AssistantEntry, timings: TurnTimings): void {
    const speech = this.current ?? this.open(entry, { ...timings, textFirst: this.clock.now() });
    this.playback.add(speech, token);
    this.leg.say(token, false, this.options);
  }

  /** Ends the running speech; nothing is sent when nothing was said. */
  finish(): void {
    if (!this.current) return;
    this.leg.say('', true, this.options);
    this.close();
  }

  /** Says a sentence of the house. */
  sayWhole(text: string): void {
    this.finish();
    if (this.options.preemptible) this.cut(null);
    this.speakWhole(text, this.transcript.memory.assistant());
  }

  /** Says a filler, which leaves no trace. */
  fill(text: string): void {
    this.speakWhole(text, null);
  }

  /** The customer has the floor: nothing that was not heard until now will be. */
  cut(heard: string | null): void {
    if (this.current) this.leg.say('', true, this.options);
    this.current = null;
    for (const cut of this.playback.cut(heard)) this.transcript.cut(cut);
  }

  private speakWhole(text: string, entry: AssistantEntry | null): void {
    const speech = this.open(entry, { textFirst: this.clock.now() });
    this.playback.add(speech, text);
    this.leg.say(text, true, this.options);
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
