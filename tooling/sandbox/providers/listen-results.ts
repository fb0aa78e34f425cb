import { interimMs, interimOf, recognitionMs, spaced } from '../speech/recognition-delay.js';
import type { Heard } from './ear.js';

/** Of audio, between two interim results. */
const INTERIM_MS = 1_000;
/** A longer part becomes final without a pause. */
const PART_MS = 4_000;

export interface ListenSettings {
  /** With its suffixes. */
  model: string;
  /** False: each result remains interim. */
  hasFinals: boolean;
  hasInterims: boolean;
  /** Silence that ends an utterance; null: none does. */
  endpointingMs: number | null;
  /** Silence after which the end of the last word is reported; null: never. */
  utteranceEndMs: number | null;
  reportsVoice: boolean;
  /** Real milliseconds. */
  realMs(ms: number): number;
}

/** @param delayMs real milliseconds until the message is sent, after those before it */
type Report = (message: object, delayMs: number) => void;

type Flags = Partial<Record<'is_final' | 'speech_final' | 'from_finalize', boolean>>;

/**
 * The results of a stream of Nova, part by part, by the audio's own time: interim ones every second, also of silence;
 * final ones after the configured silence, on request, and of parts of 4 s.
 */
export class ListenResults {
  /** Seconds of audio so far, up to the last result, and where the present part begins. */
  private seconds = 0;
  private resultAt = 0;
  private start = 0;
  /** Of the present part. */
  private text = '';
  /** Its whole words: characters, and seconds of audio before the next word. */
  private whole = { characters: 0, seconds: 0 };
  private silentMs = 0;
  /** End of the last silence, in seconds of audio. */
  private silentUntil = 0;
  /** When the last character arrived, in real milliseconds. */
  private heardAt = 0;
  /** Speech, and a word, whose end is not reported. */
  private isSpeech = false;
  private hasOpenWord = false;

  constructor(
    private readonly settings: ListenSettings,
    private readonly report: Report,
  ) {}

  /** @param seconds of the piece of audio */
  hear({ words, silentMs }: Heard, seconds: number): void {
    const before = this.seconds;
    this.seconds += seconds;
    this.silentMs = silentMs;
    if (silentMs > 0) this.silentUntil = this.seconds;
    if (words !== '') this.addWords(words, before);
    const { endpointingMs, utteranceEndMs, realMs } = this.settings;
    if (utteranceEndMs !== null && this.hasOpenWord && silentMs >= utteranceEndMs) this.reportUtteranceEnd();
    if (endpointingMs !== null && silentMs >= endpointingMs && this.isSpeech) return this.endSpeech();
    if ((this.seconds - this.resultAt) * 1000 >= realMs(INTERIM_MS)) this.reportSoFar();
  }

  /** The words so far are final; without words there is no result. */
  end(flags: Flags): void {
    if (this.hasText) this.endPart(flags);
  }

  private get hasText(): boolean {
    return this.text.trim() !== '';
  }

  private addWords(words: string, pieceAt: number): void {
    if (!this.isSpeech && this.settings.reportsVoice)
      this.report({ type: 'SpeechStarted', channel: [0], timestamp: pieceAt }, 0);
    this.isSpeech = this.hasOpenWord = true;
    this.text += words;
    this.heardAt = performance.now();
    if (!words.includes(' ')) return;
    // The ear adds a blank before the first character after a pause: the sound of it began before this piece.
    const seconds = words.endsWith(' ') ? pieceAt : Math.min(pieceAt, this.silentUntil);
    this.whole = { characters: this.text.lastIndexOf(' ') + 1, seconds };
  }

  private reportSoFar(): void {
    const { model, hasFinals, hasInterims, realMs } = this.settings;
    const delayMs = realMs(interimMs(model));
    this.resultAt = this.seconds;
    if (hasFinals && (this.seconds - this.start) * 1000 >= realMs(PART_MS)) this.endWholeWords(delayMs);
    if (hasInterims && this.start < this.seconds)
      this.reportResult(interimOf(this.text, this.silentMs), {}, this.seconds, delayMs);
  }

  /** The rest of a word that is being said belongs to the next part. */
  private endWholeWords(delayMs: number): void {
    const isSilence = this.silentMs > 0;
    const { characters, seconds } = isSilence
      ? { characters: this.text.length, seconds: this.seconds }
      : this.whole;
    if (!isSilence && characters === 0) return;
    this.reportResult(spaced(this.text.slice(0, characters)), { is_final: true }, seconds, delayMs);
    this.beginPart(seconds, this.text.slice(characters));
  }

  /** Also where all words were final before. */
  private endSpeech(): void {
    this.isSpeech = false;
    this.endPart({ speech_final: true });
  }

  private endPart(flags: Flags): void {
    const { model, hasFinals, realMs } = this.settings;
    if (!hasFinals) return;
    const text = spaced(this.text);
    const knownAt = this.heardAt + realMs(recognitionMs(text, model));
    this.reportResult(text, { is_final: true, ...flags }, this.seconds, knownAt - performance.now());
    this.beginPart(this.seconds, '');
    this.resultAt = this.seconds;
  }

  private beginPart(start: number, text: string): void {
    this.start = start;
    this.text = text;
    this.whole = { characters: 0, seconds: start };
  }

  private reportUtteranceEnd(): void {
    this.hasOpenWord = false;
    const last_word_end = this.seconds - this.silentMs / 1000;
    this.report({ type: 'UtteranceEnd', channel: [0, 1], last_word_end }, 0);
  }

  private reportResult(transcript: string, flags: Flags, end: number, delayMs: number): void {
    const { start } = this;
    const confidence = transcript === '' ? 0 : 0.98;
    const spoken = transcript.split(' ').filter(Boolean);
    const each = (end - start) / Math.max(1, spoken.length);
    const words = spoken.map((word, index) => ({
      word: word.toLowerCase().replace(/[.,!?]+$/, ''),
      punctuated_word: word,
      start: start + index * each,
      end: start + (index + 1) * each,
      confidence,
    }));
    this.report(
      {
        type: 'Results',
        channel_index: [0, 1],
        start,
        duration: end - start,
        is_final: false,
        speech_final: false,
        from_finalize: false,
        channel: { alternatives: [{ transcript, confidence, words }] },
        ...flags,
      },
      delayMs,
    );
  }
}
