import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../tooling/sandbox/sandbox.js';
import type { SpeechProvider } from '#src/modules/catalog/catalog.js';
import { fakeSpeechProvider } from '#src/modules/catalog/speech-provider.fake.js';
import { probeSpeech } from './check-speech.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
});
afterAll(() => sandbox.close());

const provider = (changes: Partial<SpeechProvider>): SpeechProvider =>
  fakeSpeechProvider({ name: 'Local', endpoint: 'local', ...changes });

const probe = async (providers: SpeechProvider[], api_key = 'key') =>
  (await probeSpeech(providers, { local: { baseUrl: `${sandbox.url}/v1`, apiKey: api_key } })).map(
    ({ name, state, what }) => [name, state, what.replace(/\d+ ms.*/, '… ms')],
  );

describe('probeSpeech', () => {
  it('has each provider of a set endpoint speak, or transcribe what was spoken', async () => {
    const providers = [
      provider({ id: 2, name: 'Whisper', kind: 'transcriber', code: 'whisper-1' }),
      provider({}),
      provider({
        id: 3,
        name: 'Aura',
        adapter: 'deepgram',
        code: 'aura-2',
        defaultVoice: 'aura-2-thalia-en',
      }),
      provider({
        id: 4,
        name: 'Flux',
        kind: 'transcriber',
        adapter: 'deepgram-flux',
        code: 'flux-general-en',
      }),
      provider({ id: 5, name: 'Away', endpoint: 'unset' }),
      provider({ id: 6, name: 'Over', retiresOn: '2020-01-01' }),
    ];
    const found = await probe(providers);
    expect(found.map(([name, , what]) => [name, what])).toEqual([
      ['speech Local (synthesizer)', 'tts-1: first audio after … ms'],
      ['speech Aura (synthesizer)', 'aura-2: first audio after … ms'],
      ['speech Whisper (transcriber)', 'whisper-1: words after … ms'],
      ['speech Flux (transcriber)', 'flux-general-en: words after … ms'],
    ]);
    for (const [, state] of found) expect(state).not.toBe('fail');
  });

  it('reports why a provider refuses', async () => {
    const providers = [
      provider({}),
      provider({ id: 2, kind: 'transcriber', code: 'whisper-1' }),
      provider({ id: 3, name: 'Flux', adapter: 'deepgram-flux' }),
    ];
    expect(await probe(providers, 'other')).toEqual([
      ['speech Local (synthesizer)', 'fail', '/audio/speech was refused: 401'],
      ['speech Flux (synthesizer)', 'fail', 'the adapter deepgram-flux has no synthesizer'],
      ['speech Local (transcriber)', 'fail', '/audio/transcriptions was refused: 401'],
    ]);
  });
});
