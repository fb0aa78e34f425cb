import { Injectable } from '@nestjs/common';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { lettersOf } from '../language-hint.js';
import { socketUrl } from '../sockets/speech-sockets.service.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { FluxStream } from './flux-stream.js';

const OPEN_LIMIT_MS = 5_000;
/** Confidence with which a turn may end: Deepgram's default, and the lower one at which an answer is prepared. */
const END = '0.7';
const EAGER_END = '0.5';
/** Only a message, or the timeout, ends a turn. */
const NEVER = '1.0';
/** Of the model of several languages; it refuses hints of others. */
const LANGUAGES = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'ru'];
/** How much longer than the voice detection the model waits in silence; less than the words may take. */
const LONGER_MS = 2_000;

/** Deepgram's Flux: it knows by what was said when the customer has finished. */
@Injectable()
export class FluxTranscriberService extends Transcriber {
  protected readonly openLimitMs: number = OPEN_LIMIT_MS;
  override readonly endsTurns = true;

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const { apiKey } = options.provider;
    const address = { url: addressOf(options), apiKey, openLimitMs: this.openLimitMs };
    return new FluxStream(address, options.endpointType === 'ai', onEvent);
  }
}

function addressOf(options: TranscriptionOptions): string {
  const { provider, format, language, turnEndMs, endpointType } = options;
  const letters = lettersOf(language);
  const thresholds: Record<string, string> =
    endpointType === 'ai' ? { eot_threshold: END, eager_eot_threshold: EAGER_END } : { eot_threshold: NEVER };
  // It stands beside `/v1`, which the endpoint of Deepgram's other models ends with.
  return socketUrl(provider.baseUrl.replace(/\/v1$/, ''), '/v2/listen', {
    model: provider.model,
    encoding: format === 'pcmu-8000' ? 'mulaw' : 'linear16',
    sample_rate: String(SAMPLE_RATE[format]),
    eot_timeout_ms: String(turnEndMs + LONGER_MS),
    ...thresholds,
    ...(provider.model.includes('multi') && LANGUAGES.includes(letters) && { language_hint: letters }),
  });
}
