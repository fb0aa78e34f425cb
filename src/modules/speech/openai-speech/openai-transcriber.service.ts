import { Injectable } from '@nestjs/common';
import { FormData } from 'undici';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { samplesOf, wavOf } from '../audio/audio-format.js';
import { languageHint } from '../language-hint.js';
import { isInvented, mayHoldVoice } from '../silence-marks.js';
import { SpeechError } from '../speech-error.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { bytesOf, SpeechHttpService } from './speech-http.service.js';
import { UtteranceAudio } from './utterance-audio.js';

const PATH = '/audio/transcriptions';
const MAX_ANSWER_BYTES = 64 * 1024;

/** Speech to text by OpenAI and servers with its interface: each utterance is one request, when it has ended. */
@Injectable()
export class OpenAiTranscriberService extends Transcriber {
  constructor(private readonly http: SpeechHttpService) {
    super();
  }

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const audio = new UtteranceAudio(options.format);
    const closed = new AbortController();
    let earlier = Promise.resolve();
    const send = (utterance: Buffer): void => {
      const text = this.textOf(utterance, options, closed.signal);
      text.catch(() => undefined);
      // Utterances are told in their order, whichever is transcribed first.
      earlier = earlier.then(async () => {
        const event = await text.then(toFinal, toFailed);
        if (!closed.signal.aborted) onEvent(event);
        if (event?.kind === 'failed') closed.abort();
      });
    };
    return {
      write: (piece) => audio.write(piece).forEach(send),
      speechStarted: () => audio.begin(),
      speechEnded: () => audio.end().forEach(send),
      close: () => closed.abort(),
    };
  }

  /** Asked twice where the first request fails for a passing reason. */
  private async textOf(audio: Buffer, options: TranscriptionOptions, signal: AbortSignal): Promise<string> {
    try {
      return await this.request(audio, options, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof SpeechError && error.retryable)) throw error;
      return this.request(audio, options, signal);
    }
  }

  private async request(audio: Buffer, options: TranscriptionOptions, signal: AbortSignal): Promise<string> {
    const { provider, format, language } = options;
    const samples = samplesOf(audio, format);
    const wav = wavOf(samples, SAMPLE_RATE[format]);
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
    for await (const chunk of bytesOf(response, PATH, MAX_ANSWER_BYTES)) chunks.push(chunk);
    const text = textIn(Buffer.concat(chunks).toString('utf8'));
    return isInvented(text) && !mayHoldVoice(samples, SAMPLE_RATE[format]) ? '' : text;
  }
}

function textIn(answer: string): string {
  try {
    const { text } = JSON.parse(answer) as { text?: unknown };
    if (typeof text === 'string') return text.trim();
  } catch {
    // Refused below, without the parser's message, which quotes the answer.
  }
  throw new SpeechError(`${PATH} answers without a text`, false);
}

const toFinal = (text: string): TranscriptionEvent => ({ kind: 'final', text });

const toFailed = (error: unknown): TranscriptionEvent => ({
  kind: 'failed',
  error:
    error instanceof SpeechError
      ? error
      : new SpeechError('The transcription failed', false, null, { cause: error }),
});
