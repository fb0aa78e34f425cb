import { Injectable } from '@nestjs/common';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE, Synthesizer, type SynthesisRequest } from '../synthesizer.js';
import { samplesIn } from './audio-container.js';
import { bytesOf, SpeechHttpService } from './speech-http.service.js';

const PATH = '/audio/speech';
/** Of one request: two minutes. */
const MAX_BYTES = 120 * SYNTHESIS_RATE * 2;
/** Of an answer with a header of its own, which may have twice the rate and two channels. */
const MAX_ANSWER_BYTES = 4 * MAX_BYTES;

/** Text to speech by OpenAI and servers with its interface. */
@Injectable()
export class OpenAiSynthesizerService extends Synthesizer {
  constructor(private readonly http: SpeechHttpService) {
    super();
  }

  override async *speak(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { provider, text, voice, speed } = request;
    const { model } = provider;
    // `pcm` is 24 kHz, 16 bits, without a header; some servers send a WAV file all the same.
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
      for await (const audio of samplesIn(bytesOf(response, PATH, MAX_ANSWER_BYTES), type, PATH)) {
        bytes += audio.length;
        if (bytes > MAX_BYTES) throw new SpeechError(`${PATH} answers with too much`, false);
        yield audio;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
