import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { languageCodeOf } from '../language-hint.js';
import { SpeechError } from '../speech-error.js';
import {
  SpeechSocketsService,
  parseJson,
  socketUrl,
  type SpeechChunk,
} from '../sockets/speech-sockets.service.js';
import { Synthesizer, SYNTHESIS_RATE, type SynthesisRequest } from '../synthesizer.js';

/** Its messages, and the form of its errors. */
const API_VERSION = '2026-03-01';
const OUTPUT_FORMAT = { container: 'raw', encoding: 'pcm_s16le', sample_rate: SYNTHESIS_RATE };

/** Cartesia's text to speech over a WebSocket; each text is a context of it. */
@Injectable()
export class CartesiaSynthesizerService extends Synthesizer {
  constructor(private readonly sockets: SpeechSocketsService) {
    super();
  }

  override speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer> {
    const { provider, text, voice, language, speed } = request;
    const context_id = randomUUID();
    const startMessages = [
      {
        context_id,
        model_id: provider.model,
        transcript: text,
        voice: { mode: 'id', id: voice },
        language: languageCodeOf(language),
        output_format: OUTPUT_FORMAT,
        continue: false,
        ...(speed !== 1 && { generation_config: { speed } }),
      },
    ];
    const url = socketUrl(provider.baseUrl, '/tts/websocket');
    const headers = { 'X-API-Key': provider.apiKey, 'Cartesia-Version': API_VERSION };
    const parseMessage = (message: Parameters<typeof parseJson>[0]): SpeechChunk =>
      readMessage(parseJson(message), context_id);
    return this.sockets.streamSpeech(
      { url, headers },
      { startMessages, cancelMessages: [{ context_id, cancel: true }], parseMessage },
      signal,
    );
  }
}

function readMessage(message: Record<string, unknown> | null, contextId: string): SpeechChunk {
  const { type, context_id: of = contextId, data, error_code, status_code } = message ?? {};
  if (of !== contextId) return {};
  if (type === 'error') {
    const status = typeof status_code === 'number' ? status_code : 0;
    const failure = SpeechError.fromStatus('Cartesia', status);
    const code = typeof error_code === 'string' ? ` (${error_code.slice(0, 64)})` : '';
    throw new SpeechError(failure.message + code, failure.retryable, status);
  }
  if (type === 'chunk' && typeof data === 'string') return { audio: Buffer.from(data, 'base64') };
  return type === 'done' ? { done: true } : {};
}
