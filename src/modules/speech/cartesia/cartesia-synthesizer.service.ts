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

/** Cartesia's text to speech over a WebSocket; each text is a context of it, which its rest continues. */
@Injectable()
export class CartesiaSynthesizerService extends Synthesizer {
  override readonly takesRest = true;

  constructor(private readonly sockets: SpeechSocketsService) {
    super();
  }

  override speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer> {
    const { provider, text, rest, voice, language, speed } = request;
    const context_id = randomUUID();
    // All inputs of a context have the same settings.
    const input = (transcript: string, isContinued: boolean): object => ({
      context_id,
      model_id: provider.model,
      transcript,
      voice: { mode: 'id', id: voice },
      language: languageCodeOf(language),
      output_format: OUTPUT_FORMAT,
      continue: isContinued,
      // Texts are phrases and sentences: the provider need not wait for more.
      max_buffer_delay_ms: 0,
      ...(speed !== 1 && { generation_config: { speed } }),
    });
    // Inputs are joined as they are.
    const startMessages = [rest ? input(`${text} `, true) : input(text, false)];
    const restMessages = rest?.then((words) => [input(words, false)]);
    const url = socketUrl(provider.baseUrl, '/tts/websocket');
    const headers = { 'X-API-Key': provider.apiKey, 'Cartesia-Version': API_VERSION };
    const parseMessage = (message: Parameters<typeof parseJson>[0]): SpeechChunk =>
      readMessage(parseJson(message), context_id, rest !== undefined);
    return this.sockets.streamSpeech(
      { url, headers },
      { startMessages, restMessages, cancelMessages: () => [{ context_id, cancel: true }], parseMessage },
      signal,
    );
  }
}

/** @param isContinued the context may have ended before its rest came, which the next request has not to fear */
function readMessage(
  message: Record<string, unknown> | null,
  contextId: string,
  isContinued: boolean,
): SpeechChunk {
  const { type, context_id: of = contextId, data, error_code, status_code } = message ?? {};
  if (of !== contextId) return {};
  if (type === 'error') {
    const status = typeof status_code === 'number' ? status_code : 0;
    const failure = SpeechError.fromStatus('Cartesia', status);
    const code = typeof error_code === 'string' ? ` (${error_code.slice(0, 64)})` : '';
    throw new SpeechError(failure.message + code, failure.retryable || isContinued, status);
  }
  if (type === 'chunk' && typeof data === 'string') return { audio: Buffer.from(data, 'base64') };
  return type === 'done' ? { done: true } : {};
}
