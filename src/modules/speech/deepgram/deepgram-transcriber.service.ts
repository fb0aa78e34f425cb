import { Injectable } from '@nestjs/common';
import { WebSocket } from 'ws';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { SpeechError } from '../speech-error.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../transcriber.js';
import { DeepgramStream } from './deepgram-stream.js';

const OPEN_LIMIT_MS = 5_000;
const MAX_MESSAGE_BYTES = 256 * 1024;

/** Deepgram's streaming speech to text. */
@Injectable()
export class DeepgramTranscriberService extends Transcriber {
  protected readonly openLimitMs: number = OPEN_LIMIT_MS;

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    const socket = new WebSocket(addressOf(options), {
      headers: { authorization: `Token ${options.provider.apiKey}` },
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: this.openLimitMs,
      perMessageDeflate: false,
    });
    const stream = new DeepgramStream(socket, onEvent);
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      stream.fail(SpeechError.ofStatus('The transcription', statusCode));
    });
    return stream;
  }
}

function addressOf({ provider, format, language, turnEndMs }: TranscriptionOptions): string {
  const query = new URLSearchParams({
    model: provider.model,
    language,
    encoding: format === 'pcmu-8000' ? 'mulaw' : 'linear16',
    sample_rate: String(SAMPLE_RATE[format]),
    channels: '1',
    interim_results: 'true',
    smart_format: 'true',
    endpointing: String(turnEndMs),
  });
  return `${provider.baseUrl.replace(/^http/, 'ws')}/listen?${query}`;
}
