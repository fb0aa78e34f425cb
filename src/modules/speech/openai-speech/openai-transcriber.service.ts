import { Injectable } from '@nestjs/common';
import { FormData } from 'undici';
import { audioMs, SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { decodeAudio, toWav } from '../audio/audio-format.js';
import { languageHint } from '../language-hint.js';
import { isHallucination, mayContainVoice, removeNonSpeech } from '../non-speech.js';
import { SpeechError } from '../speech-error.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { readBytes, SpeechHttpService } from './speech-http.service.js';
import { UtteranceAudio } from './utterance-audio.js';

const PATH = '/audio/transcriptions';
const MAX_RESPONSE_BYTES = 64 * 1024;
/**
 * Milliseconds for a transcript beyond the length of its audio, which recognisers on a processor take; and the most,
 * because the customer waits.
 */
const LIMITS = { extraMs: 2_500, mostMs: 6_000 };

/**
 * Speech to text by OpenAI and compatible servers: one request at the end of each utterance, more for a long one and for
 * one that keeps the assistant from speaking.
 */
@Injectable()
export class OpenAiTranscriberService extends Transcriber {
  protected readonly limits = LIMITS;

  constructor(private readonly http: SpeechHttpService) {
    super();
  }

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const audio = new UtteranceAudio(options.format);
    const closed = new AbortController();
    let previous = Promise.resolve();
    let parts: string[] = [];
    let sent = 0;
    const addPart = (text: string, isLast: boolean): TranscriptionEvent[] => {
      const words = removeNonSpeech(text);
      if (words !== '') parts.push(words);
      const utterance = parts.join(' ');
      // Music behind the customer hides the end of the utterance: it has ended before a part without words.
      const isOver = isLast || (words === '' && utterance !== '');
      if (isOver) parts = [];
      const event: TranscriptionEvent = { kind: isOver ? 'final' : 'partial', text: utterance };
      return isOver && !isLast ? [event, { kind: 'partial', text: '' }] : [event];
    };
    /** The words of the parts before are known. */
    const fail = (error: unknown): TranscriptionEvent[] => {
      const known: TranscriptionEvent[] = parts.length > 0 ? [{ kind: 'final', text: parts.join(' ') }] : [];
      return [...known, toFailed(error)];
    };
    const send = (part: Buffer, isLast: boolean): void => {
      sent += 1;
      const transcript = this.transcribeWithRetry(part, options, closed.signal);
      transcript.catch(() => undefined);
      // Results are reported in the order of the utterances.
      previous = previous.then(async () => {
        for (const event of await transcript.then((text) => addPart(text, isLast), fail)) {
          if (!closed.signal.aborted) onEvent(event);
          if (event.kind === 'failed') closed.abort();
        }
      });
    };
    const sendCopy = async (): Promise<void> => {
      const before = sent;
      const text = await this.requestTranscription(audio.soFar, options, closed.signal).catch(() => null);
      if (text === null || sent !== before || closed.signal.aborted) return;
      onEvent({ kind: 'partial', text: [...parts, removeNonSpeech(text)].filter(Boolean).join(' ') });
    };
    return {
      write: (piece) => audio.write(piece).forEach((part) => send(part, false)),
      speechStarted: () => audio.begin(),
      transcribeSoFar: () => void sendCopy(),
      speechEnded: () => audio.end().forEach((part) => send(part, true)),
      close: () => closed.abort(),
    };
  }

  /** With one retry after a retryable error, in the time of one request. */
  private async transcribeWithRetry(
    audio: Buffer,
    options: TranscriptionOptions,
    closed: AbortSignal,
  ): Promise<string> {
    const { extraMs, mostMs } = this.limits;
    const isLate = AbortSignal.timeout(Math.min(mostMs, extraMs + audioMs(audio.length, options.format)));
    const signal = AbortSignal.any([closed, isLate]);
    const request = (): Promise<string> => this.requestTranscription(audio, options, signal);
    try {
      return await request().catch((error: unknown) => {
        if (signal.aborted || !(error instanceof SpeechError && error.retryable)) throw error;
        return request();
      });
    } catch (error) {
      throw isLate.aborted ? new SpeechError(`${PATH} answers too late`, true) : error;
    }
  }

  private async requestTranscription(
    audio: Buffer,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<string> {
    const { provider, format, language } = options;
    const samples = decodeAudio(audio, format);
    const wav = toWav(samples, SAMPLE_RATE[format]);
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'utterance.wav');
    body.set('model', provider.model);
    for (const [field, value] of Object.entries(languageHint(provider.model, language))) {
      if (Array.isArray(value)) for (const one of value) body.append(`${field}[]`, one);
      else body.set(field, value);
    }
    body.set('response_format', 'json');
    const response = await this.http.post(provider, PATH, { body }, signal);
    const chunks: Buffer[] = [];
    for await (const chunk of readBytes(response, PATH, MAX_RESPONSE_BYTES)) chunks.push(chunk);
    const text = parseText(Buffer.concat(chunks).toString('utf8'));
    return isHallucination(text) && !mayContainVoice(samples, SAMPLE_RATE[format]) ? '' : text;
  }
}

function parseText(body: string): string {
  try {
    const { text } = JSON.parse(body) as { text?: unknown };
    if (typeof text === 'string') return text.trim();
  } catch {
    // Throws below, without the parser's message, which quotes the response.
  }
  throw new SpeechError(`${PATH} answers without a text`, false);
}

const toFailed = (error: unknown): TranscriptionEvent => ({
  kind: 'failed',
  error:
    error instanceof SpeechError
      ? error
      : new SpeechError('The transcription failed', false, null, { cause: error }),
});
