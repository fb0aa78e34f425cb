import { Injectable } from '@nestjs/common';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { socketUrl } from '../sockets/speech-sockets.service.js';
import { longestSilenceMs } from '../speaker-pauses.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { DeepgramStream } from './deepgram-stream.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Deepgram's streaming speech to text. */
@Injectable()
export class DeepgramTranscriberService extends Transcriber {
  override readonly sendsPartials = true;
  protected readonly connectTimeoutMs: number = CONNECT_TIMEOUT_MS;

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const { apiKey } = options.provider;
    return new DeepgramStream(
      { url: listenUrl(options), apiKey, format: options.format, connectTimeoutMs: this.connectTimeoutMs },
      onEvent,
    );
  }
}

/**
 * What Deepgram redacts of streams in English. Number redaction of other languages hides prices and dates, too, and is
 * not used.
 */
const REDACTED = ['pci', 'ssn', 'phone_number', 'email_address', 'account_number'];

const listenUrl = ({
  provider,
  format,
  language,
  endOfTurnSilenceMs,
  redacts = false,
}: TranscriptionOptions): string => {
  const isRedacted = redacts && /^en(?:-|$)/i.test(language);
  const url = socketUrl(provider.baseUrl, '/listen', {
    model: provider.model,
    language,
    encoding: format === 'pcmu-8000' ? 'mulaw' : 'linear16',
    sample_rate: String(SAMPLE_RATE[format]),
    channels: '1',
    interim_results: 'true',
    // Smart formatting and redaction of streams exclude each other.
    ...(isRedacted ? { punctuate: 'true', numerals: 'true' } : { smart_format: 'true' }),
    // Utterances end with the turn, by `Finalize`. A shorter silence would end them in a pause.
    endpointing: String(longestSilenceMs(endOfTurnSilenceMs)),
  });
  return isRedacted ? `${url}${REDACTED.map((entity) => `&redact=${entity}`).join('')}` : url;
};
