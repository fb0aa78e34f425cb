import { Injectable } from '@nestjs/common';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE, Synthesizer, type SynthesisRequest } from '../synthesizer.js';
import { readSamples } from './audio-container.js';
import { readBytes, SpeechHttpService } from './speech-http.service.js';

const PATH = '/audio/speech';
/** Of one request, in bytes: two minutes. */
const MAX_AUDIO_BYTES = 120 * SYNTHESIS_RATE * 2;
/** Of a WAV response, which may have twice the rate and two channels. */
const MAX_RESPONSE_BYTES = 4 * MAX_AUDIO_BYTES;

/** Text to speech by OpenAI and servers with its interface. */
@Injectable()
export class OpenAiSynthesizerService extends Synthesizer {
  constructor(private readonly http: SpeechHttpService) {
    super();
  }

  override async *speak(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { provider, text, voice, speed } = request;
    const { model } = provider;
    // `pcm` is 24 kHz, 16 bits, without a header; some servers send a WAV file instead.
    const body = JSON.stringify({
      model,
      input: text,
      voice,
      response_format: 'pcm',
      ...(speed !== 1 && { speed }),
    });
    try {
      const init = { body, headers: { 'content-type': 'application/json' } };
      const response = await this.http.post(provider, PATH, init, signal);
      const type = response.headers.get('content-type') ?? '';
      if (/^(text|application\/(?:json|xml|problem))/.test(type)) {
        await response.body?.cancel();
        throw new SpeechError(`${PATH} answers without audio`, false);
      }
      let bytes = 0;
      for await (const audio of readSamples(readBytes(response, PATH, MAX_RESPONSE_BYTES), type, PATH)) {
        bytes += audio.length;
        if (bytes > MAX_AUDIO_BYTES) throw new SpeechError(`${PATH} answers with too much`, false);
        yield audio;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
