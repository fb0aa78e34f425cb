import { Injectable } from '@nestjs/common';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { languageCodeOf } from '../language-hint.js';
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

/** Forms of languages that https://developers.deepgram.com/docs/models-languages-overview lists; others are refused. */
const LISTED_FORMS =
  'da-DK de-CH en-AU en-GB en-IN en-NZ en-US es-419 fr-CA ko-KR nl-BE pt-BR pt-PT sv-SE th-TH zh-CN zh-HK zh-TW';

/** @param tag BCP 47 */
function languageOf(tag: string): string {
  const listed = LISTED_FORMS.split(' ').find((one) => one.toLowerCase() === tag.toLowerCase());
  if (listed) return listed;
  return /^es-(?!ES$)/i.test(tag) ? 'es-419' : languageCodeOf(tag);
}

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
    language: languageOf(language),
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
