import { Logger } from '@nestjs/common';
import { SAMPLE_RATE, type AudioLine, type AudioLineEvent } from '#src/modules/media/audio-line.js';
import type {
  CallSession,
  CallSessionEvent,
  RelaySettings,
  SpeechOptions,
} from '../telephony/call-session.js';
import { SessionEvents } from '../telephony/session-events.js';
import { decodeAudio } from './audio/audio-format.js';
import { CallTranscription } from './call-transcription.js';
import { CustomerVoice, type CustomerVoiceParts, endOfTurnSilenceMs } from './customer-voice.js';
import { LineCaptions } from './line-captions.js';
import { SentenceSplitter } from './sentence-splitter.js';
import type { SpeechError } from './speech-error.js';
import { SpeechPlayer } from './speech-player.js';
import type { ProviderAccess } from './speech-provider.js';
import { SpeechQueue, type SpeechVoices } from './speech-queue.js';
import type { FailedProvider } from './speech-plan.js';
import { isInterruptible, SpokenPiece } from './spoken-piece.js';
import type { Transcriber } from './transcriber.js';
import { removeNonSpeech } from './non-speech.js';

/** Usual maximum of the time to transcribe an utterance, with one retry. */
const MAX_TRANSCRIPT_DELAY_MS = 3_000;

export interface SpeechSettings {
  relay: RelaySettings;
  /** Whether words of the customer, in this language (BCP 47), interrupt the assistant. */
  interrupts: (words: string, language: string) => boolean;
  /** Whether words of the customer, in this language, are a complete short answer to what they heard. */
  isShortAnswer: (heard: string, words: string, language: string) => boolean;
  transcription: { name: string; access: ProviderAccess };
  voices: SpeechVoices;
  /** Called when a provider is excluded from the rest of this call. */
  onProviderFailed?: (failed: FailedProvider, error: SpeechError) => void;
}

export interface SpeechSessionDependencies extends CustomerVoiceParts {
  line: AudioLine;
  transcriber: Transcriber;
}

/** A call session over an audio line with two speech providers: a transcriber and a synthesizer. */
export class SpeechSession implements CallSession {
  readonly playsAudio = true;
  readonly transcribesEach: boolean;
  readonly maxTranscriptDelayMs = MAX_TRANSCRIPT_DELAY_MS;
  readonly openedAt: number;
  private readonly logger = new Logger(SpeechSession.name);
  private readonly line: AudioLine;
  private readonly player: SpeechPlayer;
  private readonly queue: SpeechQueue;
  private readonly voice: CustomerVoice;
  private readonly cutter = new SentenceSplitter();
  private readonly transcription: CallTranscription;
  private language: string;

  /** Number of the current speech, and whether it is still open. */
  private speech = 0;
  private isSpeechOpen = false;
  /** The played text of the speech with this number. */
  private played = { speech: 0, text: '' };
  private readonly captions: LineCaptions;
  private readonly events = new SessionEvents();
  private isClosed = false;
  private hasFailed = false;
  private endReason = 'line_lost';

  constructor(
    private readonly dependencies: SpeechSessionDependencies,
    private readonly settings: SpeechSettings,
  ) {
    const { line } = dependencies;
    const { relay, voices } = settings;
    this.line = line;
    this.captions = new LineCaptions(line);
    this.openedAt = line.openedAt;
    this.language = relay.language;
    this.player = new SpeechPlayer(line, {
      speechStarted: () => this.events.emit({ kind: 'speaking', who: 'assistant', on: true }),
      pieceStarted: () => this.queue.prepare(),
      wordsPlayed: (text, { speech }) => this.reportPlayed(text, speech),
      speechEnded: () => this.events.emit({ kind: 'speaking', who: 'assistant', on: false }),
    });
    this.queue = new SpeechQueue(voices, this.player, line.format, {
      language: () => this.language,
      voiceFailed: ({ name, voice }, error) =>
        this.reportFailedProvider({ kind: 'synthesizer', provider: name, voice }, error),
      failed: () => this.fail(),
    });
    this.transcription = this.openTranscription();
    this.transcribesEach = this.transcription.transcribesEach;
    this.voice = new CustomerVoice(dependencies, relay, {
      started: () => this.customerStartedSpeaking(),
      audibleMs: () => this.player.audibleMs,
      interrupts: () => this.interrupt(),
      needsWords: () => this.transcription.transcribeSoFar(),
      isNoise: () => this.dismissNoise(),
      ended: (isNoise) => this.customerStoppedSpeaking(isNoise),
      isShortAnswer: (heard, words) => settings.isShortAnswer(heard, words, this.language),
    });
    line.onEvent((event) => this.handleLineEvent(event));
  }

  /** Whether a provider failed: the line is still open, and the call continues without the provider. */
  get failed(): boolean {
    return this.hasFailed;
  }

  say(token: string, last: boolean, options: SpeechOptions): void {
    if (this.isClosed) return;
    if (!this.isSpeechOpen) this.beginSpeech(token);
    this.isSpeechOpen = !last;
    for (const text of this.cutter.push(token)) this.queueSpeech(text, options);
    if (last) this.queueSpeech(this.cutter.flush(), options);
  }

  sendDigits(digits: string): void {
    this.line.sendDigits(digits);
  }

  switchLanguage(language: string): void {
    if (this.isClosed || language === this.language) return;
    this.language = language;
    this.transcription.switchLanguage(language);
  }

  /** `hangUp` ends the line later: the carrier then requests instructions at once, and everything has to be stored. */
  end(reason: string): void {
    this.endReason = reason;
    this.close();
  }

  /** Ends the line. A call that has not ended continues with the next instructions to the carrier. */
  hangUp(): void {
    this.close();
    this.line.end(this.endReason);
  }

  waitForWords(): Promise<void> {
    return this.transcription.waitOver;
  }

  /** Leaves the call to another line. */
  release(): void {
    this.line.release?.();
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.events.setListener(listener);
  }

  private beginSpeech(token: string): void {
    this.speech += 1;
    const preempted = this.player.unplayedPieces.filter(({ options }) => options.preemptible);
    if (token === '' || preempted.length === 0) return;
    this.player.reportPlayed();
    this.player.clear(preempted);
  }

  private queueSpeech(text: string, options: SpeechOptions): void {
    if (text.trim() === '') return;
    this.queue.add(new SpokenPiece(text, this.speech, options, SAMPLE_RATE[this.line.format]));
  }

  private handleLineEvent(event: AudioLineEvent): void {
    if (this.isClosed) return;
    if (event.kind === 'closed') {
      this.player.reportPlayed();
      this.close();
      return this.events.emit(event);
    }
    switch (event.kind) {
      case 'mark':
        return this.player.markReached(event.name);
      case 'digit':
        this.interrupt();
        return this.events.emit(event);
      case 'interrupted':
        return void this.interrupt();
      case 'text':
        this.interrupt();
        return this.events.emit({ kind: 'utterance', text: event.text, final: true });
      case 'audio':
        // First to the transcription: the detected voice refers to audio that it has received.
        this.transcription.write(event.audio);
        this.voice.push(decodeAudio(event.audio, this.line.format));
    }
  }

  private customerStartedSpeaking(): void {
    this.transcription.speechStarted();
    this.events.emit({ kind: 'speaking', who: 'customer', on: true });
  }

  private customerStoppedSpeaking(isNoise: boolean): void {
    this.events.emit({ kind: 'speaking', who: 'customer', on: false });
    this.transcription.speechEnded(isNoise);
  }

  /** Ends the customer's speech for the conversation, without words. Words that follow are heard all the same. */
  private dismissNoise(): void {
    this.events.emit({ kind: 'speaking', who: 'customer', on: false });
    this.events.emit({ kind: 'utterance', text: '', final: true });
    this.transcription.markNoise();
  }

  /** Stops the playing speech, unless it is protected. @returns whether it stopped */
  private interrupt(): boolean {
    const [first] = this.player.unplayedPieces;
    if (!first || !isInterruptible(first) || first.sentMs === 0) return false;
    this.player.reportPlayed();
    const heard = this.played.speech === first.speech ? this.played.text.trim() : '';
    this.cutter.flush();
    this.isSpeechOpen = false;
    this.player.clear(this.player.unplayedPieces.filter(isInterruptible));
    this.events.emit({ kind: 'interrupted', heard });
    return true;
  }

  private reportPlayed(text: string, speech: number): void {
    this.played = { speech, text: (this.played.speech === speech ? this.played.text : '') + text };
    this.voice.markPlayed(text);
    this.line.caption?.('assistant', text, false);
    this.events.emit({ kind: 'played', text });
  }

  private openTranscription(): CallTranscription {
    const { relay, transcription } = this.settings;
    const options = {
      provider: transcription.access,
      endpointType: relay.endpointType,
      format: this.line.format,
      language: this.language,
      endOfTurnSilenceMs: endOfTurnSilenceMs(relay),
      redacts: relay.redacts,
    };
    return new CallTranscription(this.dependencies.transcriber, options, {
      transcribed: ({ text, kind }) => this.handleWords(removeNonSpeech(text), kind === 'final'),
      failed: (error) => {
        this.reportFailedProvider({ kind: 'transcriber', provider: transcription.name, voice: null }, error);
        this.fail();
      },
    });
  }

  private handleWords(text: string, isFinal: boolean): void {
    if (!this.voice.markTranscribed(text, isFinal)) return;
    this.captions.showCustomerWords(text, isFinal);
    if (this.settings.interrupts(text, this.language)) this.interrupt();
    this.events.emit({ kind: 'utterance', text, final: isFinal });
  }

  private reportFailedProvider(failed: FailedProvider, error: SpeechError): void {
    if (this.isClosed) return;
    this.logger.warn(`${failed.provider}: ${error.message}`);
    this.settings.onProviderFailed?.(failed, error);
  }

  private fail(): void {
    if (this.isClosed) return;
    this.hasFailed = true;
    this.player.reportPlayed();
    this.close();
    this.line.clear();
    this.events.emit({ kind: 'closed' });
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.player.close();
    this.queue.close();
    this.voice.close();
    this.transcription.close(!this.hasFailed);
  }
}
