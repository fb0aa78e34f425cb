import { describe, expect, it } from '@jest/globals';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { Catalog, type SpeechProvider } from '../catalog/catalog.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import type { OpenAiSynthesizerService } from './openai-speech/openai-synthesizer.service.js';
import { FakeAudioLine, FakeSynthesizer, FakeTranscriber, FakeVoiceDetector } from './speech.fake.js';
import { SpeechSessionsService } from './speech-sessions.service.js';

const provider = (changes: Partial<SpeechProvider>): SpeechProvider => ({
  id: 1,
  name: 'OpenAI',
  kind: 'synthesizer',
  adapter: 'openai',
  code: 'tts-1',
  endpoint: null,
  defaultVoice: 'alloy',
  retiresOn: null,
  replacedById: null,
  seeded: null,
  facts: {},
  warning: null,
  ...changes,
});
const PROVIDERS = [
  provider({}),
  provider({ id: 2, kind: 'transcriber', code: 'whisper-1' }),
  provider({ id: 3, kind: 'transcriber', adapter: 'deepgram', code: 'nova-3', endpoint: 'deepgram' }),
];
const model = { baseUrl: 'http://model/v1', apiKey: 'key' };
const deepgram = { baseUrl: 'http://deepgram/v1', apiKey: 'other' };

function service(endpoints = {}) {
  const [openAi, streaming, synthesizer] = [
    new FakeTranscriber(),
    new FakeTranscriber(),
    new FakeSynthesizer(),
  ];
  const sessions = new SpeechSessionsService(
    { catalog: async () => new Catalog([], [], [], PROVIDERS) } as CatalogService,
    { model, speech: { endpoints } } as RuntimeSettings,
    new FakeVoiceDetector(),
    openAi as never,
    streaming as never,
    synthesizer as unknown as OpenAiSynthesizerService,
  );
  return { sessions, openAi, streaming, synthesizer };
}

const chosen = (synthesizer: number | null, transcriber: number | null) => ({
  synthesizerProviderId: synthesizer,
  transcriberProviderId: transcriber,
});

describe('SpeechSessionsService', () => {
  it.each([
    ['no provider is chosen', null, null],
    ['one is missing', 1, null],
    ['one is unknown', 1, 9],
    ['one is of the other kind', 2, 2],
    ['its endpoint is not set', 1, 3],
  ])('plans nothing where %s', async (_, synthesizer, transcriber) => {
    expect(await service().sessions.plan(chosen(synthesizer, transcriber))).toBeNull();
  });

  it('names the settings that the providers do not support', async () => {
    const { sessions } = service();
    const plan = await sessions.plan(chosen(1, 2));
    const notApplied = (changes: object) =>
      plan && sessions.settingsNotApplied(plan, fakeRelaySettings(changes));
    const own = { voice: { provider: 'openai', voice: 'nova' }, noiseCancellation: false };
    expect(notApplied(own)).toEqual(['voice_stability', 'voice_similarity']);
    expect(notApplied({ endpointType: 'ai' })).toEqual([
      'voice_id',
      'voice_stability',
      'voice_similarity',
      'endpoint_type',
      'noise_cancellation',
    ]);
  });

  it('speaks with a voice of the provider, and transcribes at its endpoint', async () => {
    const { sessions, streaming, openAi, synthesizer } = service({ deepgram });
    const plan = await sessions.plan(chosen(1, 3));
    const relay = fakeRelaySettings();
    const session = plan && sessions.open(new FakeAudioLine(), plan, { relay, interrupts: () => true });
    session?.say('Hello, this is Ada.', true, { interruptible: true, preemptible: false });
    await new Promise((resolve) => setImmediate(resolve));
    session?.hangUp();
    expect(streaming.streams[0]?.options.provider).toEqual({ ...deepgram, model: 'nova-3' });
    expect(openAi.streams).toEqual([]);
    expect(synthesizer.requests[0]).toMatchObject({ voice: 'alloy', provider: { ...model, model: 'tts-1' } });
  });
});
