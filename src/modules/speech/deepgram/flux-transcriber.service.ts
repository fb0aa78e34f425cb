import { Injectable } from '@nestjs/common';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { languageCodeOf } from '../language-hint.js';
import { socketUrl } from '../sockets/speech-sockets.service.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { FluxStream } from './flux-stream.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Confidence thresholds for the end of a turn: Deepgram's default, and the lower one for the eager end. */
const END_OF_TURN_THRESHOLD = '0.7';
const EAGER_END_OF_TURN_THRESHOLD = '0.5';
/** With it only a message, or the timeout, ends a turn. */
const UNREACHED_THRESHOLD = '1.0';
/** Languages of the multilingual model; it rejects hints of others. */
const HINT_LANGUAGES = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'ru'];
/** Milliseconds that the model waits longer than the voice detection; less than `MAX_TRANSCRIPT_DELAY_MS`. */
const EXTRA_SILENCE_MS = 2_000;

/** Deepgram's Flux, which detects the end of a turn by the meaning of the words. */
@Injectable()
export class FluxTranscriberService extends Transcriber {
  protected readonly connectTimeoutMs: number = CONNECT_TIMEOUT_MS;
  override readonly detectsEndOfTurn = true;
  override readonly sendsPartials = true;

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const { apiKey } = options.provider;
    const { format } = options;
    const socketOptions = {
      url: listenUrl(options),
      apiKey,
      format,
      connectTimeoutMs: this.connectTimeoutMs,
    };
    return new FluxStream(socketOptions, options.endpointType === 'ai', onEvent);
  }
}

function listenUrl(options: TranscriptionOptions): string {
  const { provider, format, language, endOfTurnSilenceMs, endpointType } = options;
  const languageCode = languageCodeOf(language);
  const thresholds: Record<string, string> =
    endpointType === 'ai'
      ? { eot_threshold: END_OF_TURN_THRESHOLD, eager_eot_threshold: EAGER_END_OF_TURN_THRESHOLD }
      : { eot_threshold: UNREACHED_THRESHOLD };
  // `/v2` is beside the `/v1` of Deepgram's other models.
  return socketUrl(provider.baseUrl.replace(/\/v1$/, ''), '/v2/listen', {
    model: provider.model,
    encoding: format === 'pcmu-8000' ? 'mulaw' : 'linear16',
    sample_rate: String(SAMPLE_RATE[format]),
    eot_timeout_ms: String(endOfTurnSilenceMs + EXTRA_SILENCE_MS),
    ...thresholds,
    ...(provider.model.includes('multi') &&
      HINT_LANGUAGES.includes(languageCode) && { language_hint: languageCode }),
  });
}
