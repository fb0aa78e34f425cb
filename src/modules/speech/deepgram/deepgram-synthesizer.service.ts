import { Injectable } from '@nestjs/common';
import { SpeechError } from '../speech-error.js';
import {
  SpeechSocketsService,
  parseJson,
  socketUrl,
  type SpeechChunk,
} from '../sockets/speech-sockets.service.js';
import type { SocketMessage } from '../sockets/message-queue.js';
import { Synthesizer, SYNTHESIS_RATE, type SynthesisRequest, type VoiceSettings } from '../synthesizer.js';

/** Voices of these languages accept a speed. */
const ACCEPTS_SPEED = /^aura-2-.*-(en|es)$/;

/** Deepgram's Aura over a WebSocket. A voice is a model of its own, e.g. `aura-2-thalia-en`. */
@Injectable()
export class DeepgramSynthesizerService extends Synthesizer {
  constructor(private readonly sockets: SpeechSocketsService) {
    super();
  }

  override speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer> {
    const { provider, text, voice, speed } = request;
    const url = socketUrl(provider.baseUrl, '/speak', {
      model: voice,
      encoding: 'linear16',
      sample_rate: String(SYNTHESIS_RATE),
      ...(speed !== 1 && ACCEPTS_SPEED.test(voice) && { speed: String(speed) }),
    });
    const headers = { authorization: `Token ${provider.apiKey}` };
    const startMessages = [{ type: 'Speak', text }, { type: 'Flush' }];
    // Audio is not assigned to its text: a socket with cancelled speech is not reused.
    return this.sockets.streamSpeech({ url, headers }, { startMessages, parseMessage: readMessage }, signal);
  }

  override settingsNotApplied({ voice, speed }: VoiceSettings): string[] {
    const names = ['voice_stability', 'voice_similarity'];
    return speed === 1 || ACCEPTS_SPEED.test(voice) ? names : [...names, 'speech_speed'];
  }
}

function readMessage(message: SocketMessage): SpeechChunk {
  if (message.isBinary) return { audio: message.data };
  const { type, code, err_code = code } = parseJson(message) ?? {};
  if (type === 'Warning' || type === 'Error') {
    const name = typeof err_code === 'string' ? err_code.slice(0, 64) : 'unknown';
    // Warnings are about text that Deepgram does not speak.
    throw new SpeechError(`Deepgram does not speak: ${name}`, type === 'Warning');
  }
  return type === 'Flushed' ? { done: true } : {};
}
