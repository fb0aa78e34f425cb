import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../tooling/sandbox/sandbox.js';
import { CartesiaSynthesizerService } from './cartesia/cartesia-synthesizer.service.js';
import { DeepgramSynthesizerService } from './deepgram/deepgram-synthesizer.service.js';
import { ElevenLabsSynthesizerService } from './elevenlabs/elevenlabs-synthesizer.service.js';
import { OpenAiSynthesizerService } from './openai-speech/openai-synthesizer.service.js';
import { SpeechHttpService } from './openai-speech/speech-http.service.js';
import { SpeechSocketsService } from './sockets/speech-sockets.service.js';
import type { SynthesisRequest, Synthesizer } from './synthesizer.js';
import {
  describeSynthesizer,
  failedCheck,
  SYNTHESIZER_CONTRACT,
  type SynthesizerHarness,
} from './synthesizer-contract.fake.js';

const SILENT_MS = 300;

class ImpatientSocketsService extends SpeechSocketsService {
  protected override readonly timeouts = { connectMs: 3_000, responseMs: SILENT_MS, readMs: SILENT_MS };
}
class ImpatientHttpService extends SpeechHttpService {
  protected override readonly responseTimeoutMs = SILENT_MS;
  protected override readonly readTimeoutMs = SILENT_MS;
}

let sandbox: Sandbox;
interface Transport {
  sockets: SpeechSocketsService;
  http: SpeechHttpService;
}
let patient: Transport;
let impatient: Transport;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
  patient = { sockets: new SpeechSocketsService(), http: new SpeechHttpService() };
  impatient = { sockets: new ImpatientSocketsService(), http: new ImpatientHttpService() };
});
afterAll(async () => {
  for (const { sockets, http } of [patient, impatient]) {
    sockets.onApplicationShutdown();
    await http.onApplicationShutdown();
  }
  await sandbox.close();
});

interface Provider {
  of: (transport: Transport) => Synthesizer;
  base: string;
  model: string;
  voice: string;
  /** Where the oddity of a request is named. */
  oddIn: 'model' | 'voice';
  /** A defect of the sandbox's server, which the suite has to notice. */
  defect: string | null;
}

const PROVIDERS: Record<string, Provider> = {
  ElevenLabs: {
    of: ({ sockets }) => new ElevenLabsSynthesizerService(sockets),
    base: '/v1',
    model: 'eleven_flash_v2_5',
    voice: '21m00Tcm4TlvDq8ikWAM',
    oddIn: 'model',
    defect: 'short',
  },
  Cartesia: {
    of: ({ sockets }) => new CartesiaSynthesizerService(sockets),
    base: '',
    model: 'sonic-3.5',
    voice: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
    oddIn: 'model',
    defect: 'mixes',
  },
  'Deepgram Aura': {
    of: ({ sockets }) => new DeepgramSynthesizerService(sockets),
    base: '/v1',
    model: 'aura-2',
    voice: 'aura-2-thalia-en',
    oddIn: 'voice',
    defect: 'early',
  },
  OpenAI: {
    of: ({ http }) => new OpenAiSynthesizerService(http),
    base: '/v1',
    model: 'tts-1',
    voice: 'alloy',
    oddIn: 'model',
    defect: null,
  },
};

function harnessOf(
  { of, base, model, voice, oddIn }: Provider,
  defect = '',
  { url } = sandbox,
): SynthesizerHarness {
  const suffix = defect && `+${defect}`;
  const request: SynthesisRequest = {
    provider: {
      baseUrl: `${url}${base}`,
      apiKey: 'key',
      model: model + (oddIn === 'model' ? suffix : ''),
    },
    text: 'Good morning.',
    voice: voice + (oddIn === 'voice' ? suffix : ''),
    language: 'en-US',
    speed: 1,
    stability: 0.7,
    similarity: 0.5,
  };
  return {
    synthesizer: of(patient),
    withShortTimeout: of(impatient),
    request,
    requestWithFault: (flaw) =>
      oddIn === 'voice'
        ? { ...request, voice: `${request.voice}+${flaw}` }
        : { ...request, provider: { ...request.provider, model: `${request.provider.model}+${flaw}` } },
    receivedSettings: async () => {
      const syntheses = (await (await fetch(`${sandbox.url}/syntheses`)).json()) as {
        settings: Record<string, unknown>;
      }[];
      return syntheses.at(-1)?.settings ?? {};
    },
    close: async () => undefined,
  };
}

describe.each(Object.entries(PROVIDERS))('%s as a synthesizer', (_, provider) => {
  describeSynthesizer(() => harnessOf(provider));

  if (provider.defect) {
    it('is caught by its contract where its server has a defect', async () => {
      const failed = await failedCheck(SYNTHESIZER_CONTRACT, harnessOf(provider, provider.defect ?? ''));
      expect(failed).toMatch(/^(speaks|stops)/);
    });
  }
});

it.each(['ElevenLabs', 'Cartesia', 'Deepgram Aura'])(
  '%s: a request beyond the number of simultaneous ones may be retried',
  async (name) => {
    const provider = PROVIDERS[name];
    if (!provider) throw new Error(name);
    // Of its own: the sandbox counts the speech of all providers, until their sockets have closed.
    const full = await startSandbox({
      port: 0,
      accountSid: 'AC1',
      authToken: 'secret',
      apiKey: 'key',
      speechConcurrency: 1,
    });
    try {
      const { synthesizer, request } = harnessOf(provider, '', full);
      const signal = new AbortController().signal;
      const first = synthesizer.speak(request, signal)[Symbol.asyncIterator]();
      expect((await first.next()).done).toBe(false);
      const second = synthesizer.speak(request, signal)[Symbol.asyncIterator]();
      await expect(second.next()).rejects.toMatchObject({ name: 'SpeechError', retryable: true });
      await first.return?.();
    } finally {
      await full.close();
    }
  },
);
