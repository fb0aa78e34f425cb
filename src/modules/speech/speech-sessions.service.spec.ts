import { describe, expect, it } from '@jest/globals';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { Catalog } from '../catalog/catalog.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import { fakeSpeechProvider } from '../catalog/speech-provider.fake.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { FakeTurnModel } from './end-of-turn/end-of-turn.fake.js';
import { SpeechAdaptersService } from './speech-adapters.service.js';
import { FakeAudioLine, FakeSynthesizer, FakeTranscriber, FakeVoiceDetector } from './speech.fake.js';
import { SpeechSessionsService } from './speech-sessions.service.js';

const PROVIDERS = [
  fakeSpeechProvider(),
  fakeSpeechProvider({ id: 2, kind: 'transcriber', code: 'whisper-1' }),
  fakeSpeechProvider({
    id: 3,
    kind: 'transcriber',
    adapter: 'deepgram',
    code: 'nova-3',
    endpoint: 'deepgram',
  }),
];
const model = { baseUrl: 'http://model/v1', apiKey: 'key' };
const deepgram = { baseUrl: 'http://deepgram/v1', apiKey: 'other' };

function service(endpoints = {}, providers = PROVIDERS, turnModel = new FakeTurnModel()) {
  const [openAi, streaming, synthesizer] = [
    new FakeTranscriber(),
    new FakeTranscriber(),
    new FakeSynthesizer(),
  ];
  const fakes = [synthesizer, synthesizer, synthesizer, synthesizer, openAi, streaming, streaming];
  const adapters = new SpeechAdaptersService(
    ...(fakes as unknown as ConstructorParameters<typeof SpeechAdaptersService>),
  );
  const sessions = new SpeechSessionsService(
    { getCatalog: async () => new Catalog([], [], [], providers) } as CatalogService,
    { model, speech: { endpoints } } as RuntimeSettings,
    new FakeVoiceDetector(),
    adapters,
    turnModel,
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
    expect(await service().sessions.planProviders(chosen(synthesizer, transcriber))).toBeNull();
  });

  it('names the settings that the providers do not support', async () => {
    const { sessions } = service();
    const nova = { provider: 'openai', providerVoice: 'nova' };
    const notApplied = async (voice: typeof nova, changes: object) => {
      const plan = await sessions.planProviders({ ...chosen(1, 2), voice });
      return plan && sessions.settingsNotApplied(plan, fakeRelaySettings(changes));
    };
    const own = { voice: { provider: 'openai', voice: 'nova' }, noiseCancellation: false };
    expect(await notApplied(nova, own)).toEqual(['voice_stability', 'voice_similarity']);
    expect(await notApplied({ ...nova, provider: 'Amazon' }, { endpointType: 'ai' })).toEqual([
      'voice_id',
      'voice_stability',
      'voice_similarity',
      'endpoint_type',
      'noise_cancellation',
    ]);
  });

  it('ends turns by the meaning where there is an end-of-turn model', async () => {
    const { sessions } = service({}, PROVIDERS, new FakeTurnModel('unsure'));
    const plan = await sessions.planProviders(chosen(1, 2));
    const relay = fakeRelaySettings({ endpointType: 'ai' });
    expect(plan && sessions.settingsNotApplied(plan, relay)).not.toContain('endpoint_type');
  });

  it('speaks with a voice of the provider, and transcribes at its endpoint', async () => {
    const { sessions, streaming, openAi, synthesizer } = service({ deepgram });
    const plan = await sessions.planProviders(chosen(1, 3));
    const relay = fakeRelaySettings();
    const session =
      plan &&
      sessions.openSession(new FakeAudioLine(), plan, {
        relay,
        interrupts: () => true,
        isShortAnswer: () => false,
      });
    session?.say('Hello, this is Ada.', true, { interruptible: true, preemptible: false });
    await new Promise((resolve) => setImmediate(resolve));
    session?.hangUp();
    expect(streaming.streams[0]?.options.provider).toEqual({ ...deepgram, model: 'nova-3' });
    expect(openAi.streams).toEqual([]);
    expect(synthesizer.requests[0]).toMatchObject({ voice: 'alloy', provider: { ...model, model: 'tts-1' } });
  });
});

describe('SpeechSessionsService with a limit', () => {
  it.each([
    [true, 10],
    [false, 0],
  ])('transcribes an utterance where it is taken (%s)', async (isTaken, bytes) => {
    const { sessions, streaming } = service({ deepgram });
    const plan = await sessions.planProviders(chosen(1, 3));
    const line = new FakeAudioLine();
    const settings = {
      relay: fakeRelaySettings(),
      interrupts: () => true,
      isShortAnswer: () => false,
      takesUtterance: () => isTaken,
    };
    const session = plan && sessions.openSession(line, plan, settings);
    line.receive({ kind: 'audio', audio: Buffer.alloc(10) });
    expect(streaming.streams[0]?.bytes).toBe(bytes);
    session?.hangUp();
  });
});

describe('planSpeech', () => {
  const voiceOf = (name: string, providerVoice: string) => ({ provider: name, providerVoice });
  const others = [
    ...PROVIDERS,
    fakeSpeechProvider({
      id: 4,
      name: 'ElevenLabs',
      adapter: 'elevenlabs',
      defaultVoice: 'rachel',
      fallbackProviderId: 5,
    }),
    fakeSpeechProvider({
      id: 5,
      name: 'Cartesia',
      adapter: 'cartesia',
      defaultVoice: 'katie',
      fallbackProviderId: 4,
    }),
    fakeSpeechProvider({ id: 6, name: 'Away', adapter: 'cartesia', endpoint: 'unset' }),
    fakeSpeechProvider({ id: 7, name: 'Gone', adapter: 'openai', retiresOn: '2020-01-01' }),
    fakeSpeechProvider({ id: 8, name: 'Whisper', kind: 'transcriber', fallbackProviderId: 2 }),
  ];
  const { sessions } = service({}, others);
  const ask = {
    ...chosen(4, 8),
    voice: voiceOf('ElevenLabs', 'adam'),
    fallbackVoices: [
      voiceOf('OpenAI', 'nova'),
      voiceOf('Away', 'x'),
      voiceOf('Gone', 'x'),
      voiceOf('Amazon', 'Joanna'),
      voiceOf('elevenlabs', 'bella'),
      voiceOf('OpenAI', 'nova'),
    ],
  };
  const planned = async (failed: Parameters<typeof sessions.planProviders>[1] = []) => {
    const plan = await sessions.planProviders(ask, failed);
    return (
      plan && [
        ...plan.voices.map(({ provider: { name }, voice }) => `${name} ${voice}`),
        plan.transcriber.name,
      ]
    );
  };

  it('uses the voice, its fallbacks, then the providers in their order, each once and where it can be used', async () => {
    expect(await planned()).toEqual([
      'ElevenLabs adam',
      'OpenAI nova',
      'ElevenLabs bella',
      'Cartesia katie',
      'Whisper',
    ]);
  });

  it('omits what has failed in the call, to the last', async () => {
    const failed = (name: string, voice: string | null) =>
      ({ kind: voice === null ? 'transcriber' : 'synthesizer', provider: name, voice }) as const;
    const all = [failed('ElevenLabs', 'adam'), failed('Whisper', null), failed('OpenAI', 'nova')];
    expect(await planned(all)).toEqual(['ElevenLabs bella', 'Cartesia katie', 'OpenAI']);
    expect(await planned([...all, failed('ElevenLabs', 'bella'), failed('Cartesia', 'katie')])).toBeNull();
    expect(await planned([failed('Whisper', null), failed('OpenAI', null)])).toBeNull();
  });
});
