import { Logger } from '@nestjs/common';
import { SAMPLE_RATE, type AudioLine, type AudioLineEvent } from '#src/modules/media/audio-line.js';
import type {
  CallSession,
  CallSessionEvent,
  RelaySettings,
  SpeechOptions,
} from '../telephony/call-session.js';
import { samplesOf } from './audio/audio-format.js';
import { LineCaptions } from './line-captions.js';
import { SentenceCutter } from './sentence-cutter.js';
import type { SpeechError } from './speech-error.js';
import { SpeechPlayer } from './speech-player.js';
import type { ProviderAccess } from './speech-provider.js';
import { SpeechQueue, type SpeechVoices } from './speech-queue.js';
import type { FailedProvider } from './speech-plan.js';
import { SpokenPiece } from './spoken-piece.js';
import type { Transcriber, TranscriptionEvent, TranscriptionStream } from './transcriber.js';
import { wordsIn } from './silence-marks.js';
import { VoiceTurns, type VoiceActivity, type VoiceActivityDetector } from './voice-activity.js';

/** Transcription that fails so often without a word between is given up. */
const MAX_FAILURES = 3;
/** What a provider takes to transcribe an utterance, once repeated, as a rule. */
const WORDS_FOLLOW_MS = 3_000;

export interface SpeechSettings {
  relay: RelaySettings;
  /** Whether words of the customer, in this language (BCP 47), interrupt the assistant. */
  interrupts: (words: string, language: string) => boolean;
  transcription: { name: string; access: ProviderAccess };
  voices: SpeechVoices;
  /** A provider is not used any more in this call. */
  onProviderFailed?: (failed: FailedProvider, error: SpeechError) => void;
}

export interface SpeechParts {
  line: AudioLine;
  transcriber: Transcriber;
  detector: VoiceActivityDetector;
}

/** A call session over an audio line: a provider transcribes what the customer says, another one speaks. */
export class SpeechSession implements CallSession {
  readonly playsAudio = true;
  readonly wordsFollowMs = WORDS_FOLLOW_MS;
  readonly openedAt: number;
  private readonly logger = new Logger(SpeechSession.name);
  private readonly line: AudioLine;
  private readonly player: SpeechPlayer;
  private readonly queue: SpeechQueue;
  private readonly voice: VoiceActivity;
  private readonly cutter = new SentenceCutter();
  private transcription: TranscriptionStream;
  private failures = 0;
  /** The customer has finished, and the words are not there. */
  private awaitsWords = false;
  /** A provider that ends turns may tell them before the voice has ended. */
  private hasWords = false;
  private language: string;

  /** The number of the current speech, and whether more of it comes. */
  private speech = 0;
  private inSpeech = false;
  /** What was played of the speech of this number. */
  private played = { speech: 0, text: '' };

  private readonly captions: LineCaptions;
  private listener: ((event: CallSessionEvent) => void) | null = null;
  private readonly early: CallSessionEvent[] = [];
  private isClosed = false;
  private hasFailed = false;
  private endReason = 'line_lost';

  constructor(
    private readonly parts: SpeechParts,
    private readonly settings: SpeechSettings,
  ) {
    const { line, detector } = parts;
    const { relay, voices } = settings;
    const rate = SAMPLE_RATE[line.format];
    this.line = line;
    this.captions = new LineCaptions(line);
    this.openedAt = line.openedAt;
    this.language = relay.language;
    this.player = new SpeechPlayer(line, {
      began: () => this.emit({ kind: 'speaking', who: 'assistant', on: true }),
      sending: () => this.queue.prepare(),
      played: (text, { speech }) => this.heard(text, speech),
      silent: () => this.emit({ kind: 'speaking', who: 'assistant', on: false }),
    });
    this.queue = new SpeechQueue(voices, this.player, line.format, {
      language: () => this.language,
      voiceFailed: ({ name, voice }, error) =>
        this.providerFailed({ kind: 'synthesizer', provider: name, voice }, error),
      failed: () => this.fail(),
    });
    this.transcription = this.transcribe();
    const turns = new VoiceTurns(turnEndMs(relay), {
      began: () => this.customerBegan(),
      lasts: (ms) => ms >= relay.interruptSensitivity * 1000 && this.interrupt(),
      ended: () => this.customerEnded(),
    });
    this.voice = detector.open(rate, (isVoice, ms) => !this.isClosed && turns.frame(isVoice, ms));
    line.onEvent((event) => this.receive(event));
  }

  /** Whether a provider failed: the line is still open, and the call has to go on without the provider. */
  get failed(): boolean {
    return this.hasFailed;
  }

  say(token: string, last: boolean, options: SpeechOptions): void {
    if (this.isClosed) return;
    if (!this.inSpeech) this.begin(token);
    this.inSpeech = !last;
    for (const text of this.cutter.push(token)) this.speak(text, options);
    if (last) this.speak(this.cutter.flush(), options);
  }

  sendDigits(digits: string): void {
    this.line.sendDigits(digits);
  }

  switchLanguage(language: string): void {
    if (this.isClosed || language === this.language) return;
    this.language = language;
    this.transcription.close();
    this.transcription = this.transcribe();
  }

  /** The line is ended by `hangUp`: a carrier asks at once how the call goes on, and finds what is stored. */
  end(reason: string): void {
    this.endReason = reason;
    this.close();
  }

  /** Ends the line; a call that has not ended goes on as the carrier is told then. */
  hangUp(): void {
    this.close();
    this.line.end(this.endReason);
  }

  /** The call goes on over another line in place of this one. */
  release(): void {
    this.line.release?.();
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    for (const event of this.early.splice(0)) listener(event);
  }

  private begin(token: string): void {
    this.speech += 1;
    const preempted = this.player.pieces.filter(({ options }) => options.preemptible);
    if (token === '' || preempted.length === 0) return;
    this.player.settle();
    this.player.clear(preempted);
  }

  private speak(text: string, options: SpeechOptions): void {
    if (text.trim() === '') return;
    this.queue.add(new SpokenPiece(text, this.speech, options, SAMPLE_RATE[this.line.format]));
  }

  private receive(event: AudioLineEvent): void {
    if (this.isClosed) return;
    if (event.kind === 'closed') {
      this.player.settle();
      this.close();
      return this.emit(event);
    }
    switch (event.kind) {
      case 'mark':
        return this.player.mark(event.name);
      case 'digit':
        this.interrupt();
        return this.emit(event);
      case 'interrupted':
        return this.interrupt(mayBeStopped);
      case 'text':
        this.interrupt(mayBeStopped);
        return this.emit({ kind: 'utterance', text: event.text, final: true });
      case 'audio':
        // First to the transcription, which is told of a voice in audio that it has.
        this.transcription.write(event.audio);
        this.voice.push(samplesOf(event.audio, this.line.format));
    }
  }

  private customerBegan(): void {
    this.awaitsWords = this.hasWords = false;
    this.transcription.speechStarted();
    this.emit({ kind: 'speaking', who: 'customer', on: true });
  }

  private customerEnded(): void {
    this.emit({ kind: 'speaking', who: 'customer', on: false });
    this.awaitsWords = !this.hasWords;
    this.transcription.speechEnded();
  }

  /** Stops speech that is being played. @param stops what of it the customer may stop */
  private interrupt(stops = isInterruptible): void {
    const [first] = this.player.pieces;
    if (!first || !stops(first) || first.sentMs === 0) return;
    this.player.settle();
    const heard = this.played.speech === first.speech ? this.played.text.trim() : '';
    this.cutter.flush();
    this.inSpeech = false;
    this.player.clear(this.player.pieces.filter(stops));
    this.emit({ kind: 'interrupted', heard });
  }

  private heard(text: string, speech: number): void {
    this.played = { speech, text: (this.played.speech === speech ? this.played.text : '') + text };
    this.line.caption?.('assistant', text, false);
    this.emit({ kind: 'played', text });
  }

  private transcribe(): TranscriptionStream {
    const { relay, transcription } = this.settings;
    const options = {
      provider: transcription.access,
      endpointType: relay.endpointType,
      format: this.line.format,
      language: this.language,
      turnEndMs: turnEndMs(relay),
    };
    const stream: TranscriptionStream = this.parts.transcriber.open(options, (event) => {
      if (!this.isClosed && stream === this.transcription) this.understood(event);
    });
    return stream;
  }

  private understood(event: TranscriptionEvent): void {
    if (event.kind === 'failed') return this.transcriptionFailed(event.error);
    const { kind } = event;
    const text = wordsIn(event.text);
    this.failures = 0;
    if (kind === 'final') {
      this.awaitsWords = false;
      this.hasWords = true;
    }
    this.captions.customer(text, kind === 'final');
    if (this.settings.interrupts(text, this.language)) this.interrupt();
    this.emit({ kind: 'utterance', text, final: kind === 'final' });
  }

  /** Words that are lost would never be answered. */
  private transcriptionFailed(error: SpeechError): void {
    this.failures += 1;
    if (!error.retryable || this.awaitsWords || this.failures >= MAX_FAILURES) {
      const provider = this.settings.transcription.name;
      this.providerFailed({ kind: 'transcriber', provider, voice: null }, error);
      return this.fail();
    }
    this.transcription.close();
    this.transcription = this.transcribe();
  }

  private providerFailed(failed: FailedProvider, error: SpeechError): void {
    if (this.isClosed) return;
    this.logger.warn(`${failed.provider}: ${error.message}`);
    this.settings.onProviderFailed?.(failed, error);
  }

  private fail(): void {
    if (this.isClosed) return;
    this.hasFailed = true;
    this.player.settle();
    this.close();
    this.line.clear();
    this.emit({ kind: 'closed' });
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.player.close();
    this.queue.close();
    this.voice.close();
    this.transcription.close();
  }

  private emit(event: CallSessionEvent): void {
    if (this.listener) this.listener(event);
    else this.early.push(event);
  }
}

const isInterruptible = ({ options }: SpokenPiece): boolean => options.interruptible;

/** By other means than speech: no words have to be counted. */
const mayBeStopped = ({ options }: SpokenPiece): boolean => options.interruptible || options.preemptible;

/** The room that a slow speaker gets, as on a relay line. */
const turnEndMs = ({ endpointSensitivity }: RelaySettings): number =>
  Math.round(Math.min(5_000, Math.max(600, endpointSensitivity * 1000)));
