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

/** Models that accept a language, and the accepted languages; others are rejected. */
const ACCEPTS_LANGUAGE = /_v2_5\b/;
const ACCEPTED_LANGUAGES =
  'ar bg cs da de el en es fi fil fr hi hr hu id it ja ko ms nl no pl pt ro ru sk sv ta tr uk vi zh'.split(
    ' ',
  );
/** Seconds without a message after which the provider closes a socket; longer than `IDLE_MS`. */
const INACTIVITY_SECONDS = '20';
/** Errors after which a retry may succeed. */
const TRANSIENT_ERRORS = new Set([
  'rate_limited',
  'rate_limit_exceeded',
  'too_many_concurrent_requests',
  'concurrent_limit_exceeded',
  'max_active_conversations',
  'system_busy',
  'input_timeout_exceeded',
  'internal_server_error',
]);

/** ElevenLabs' text to speech over a WebSocket; each text is a context of it, to which its rest is added. */
@Injectable()
export class ElevenLabsSynthesizerService extends Synthesizer {
  override readonly takesRest = true;

  constructor(private readonly sockets: SpeechSocketsService) {
    super();
  }

  override speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer> {
    const { provider, text, rest, voice, language, speed, stability, similarity } = request;
    const languageCode = languageCodeOf(language);
    const url = socketUrl(
      provider.baseUrl,
      `/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`,
      {
        model_id: provider.model,
        output_format: `pcm_${SYNTHESIS_RATE}`,
        // Texts are phrases and sentences: the provider need not wait for more. It would speak single words so, too.
        auto_mode: 'true',
        inactivity_timeout: INACTIVITY_SECONDS,
        ...(ACCEPTS_LANGUAGE.test(provider.model) &&
          ACCEPTED_LANGUAGES.includes(languageCode) && { language_code: languageCode }),
      },
    );
    const context_id = randomUUID();
    const voice_settings = { stability, similarity_boost: similarity, speed };
    const part = (words: string): object[] => [{ text: `${words} `, context_id, flush: true }];
    const end = [{ context_id, close_context: true }];
    const startMessages = [{ text: ' ', voice_settings, context_id }, ...part(text), ...(rest ? [] : end)];
    const restMessages = rest?.then((words) => [...(words === '' ? [] : part(words)), ...end]);
    const headers = { 'xi-api-key': provider.apiKey };
    const parseMessage = (message: Parameters<typeof parseJson>[0]): SpeechChunk =>
      readMessage(parseJson(message), context_id);
    return this.sockets.streamSpeech(
      { url, headers },
      { startMessages, restMessages, cancelMessages: (isSent) => (isSent ? [] : end), parseMessage },
      signal,
    );
  }

  override settingsNotApplied(): string[] {
    return [];
  }
}

function readMessage(message: Record<string, unknown> | null, contextId: string): SpeechChunk {
  const { error, contextId: of = contextId, audio, isFinal } = message ?? {};
  if (typeof error === 'string') {
    const name = error.slice(0, 64);
    throw new SpeechError(`ElevenLabs refused: ${name}`, TRANSIENT_ERRORS.has(name));
  }
  if (of !== contextId) return {};
  return {
    ...(typeof audio === 'string' && { audio: Buffer.from(audio, 'base64') }),
    ...(isFinal === true && { done: true }),
  };
}
