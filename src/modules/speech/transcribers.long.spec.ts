import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../tooling/sandbox/sandbox.js';
import { DeepgramTranscriberService } from './deepgram/deepgram-transcriber.service.js';
import { FluxTranscriberService } from './deepgram/flux-transcriber.service.js';
import { OpenAiTranscriberService } from './openai-speech/openai-transcriber.service.js';
import { SpeechHttpService } from './openai-speech/speech-http.service.js';
import { failedCheck } from './synthesizer-contract.fake.js';
import {
  describeTranscriber,
  TRANSCRIBER_CONTRACT,
  type TranscriberHarness,
} from './transcriber-contract.fake.js';
import type { Transcriber } from './transcriber.js';

/** The audio of an utterance arrives at once, and recognisers take less time for it. */
const SPEED = 10;

let sandbox: Sandbox;
let http: SpeechHttpService;

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    accountSid: 'AC1',
    authToken: 'secret',
    apiKey: 'key',
    speed: SPEED,
  });
  http = new SpeechHttpService();
});
afterAll(async () => {
  await http.onApplicationShutdown();
  await sandbox.close();
});

const harnessOf = (transcriber: Transcriber, model: string): TranscriberHarness => ({
  transcriber,
  options: {
    provider: { baseUrl: `${sandbox.url}/v1`, apiKey: 'key', model },
    format: 'pcmu-8000',
    language: 'en-US',
    endOfTurnSilenceMs: 600,
    endpointType: 'vad',
  },
});

describe.each([
  ['OpenAI', () => harnessOf(new OpenAiTranscriberService(http), 'gpt-transcribe')],
  ['Deepgram Nova', () => harnessOf(new DeepgramTranscriberService(), 'nova-3')],
  ['Deepgram Flux', () => harnessOf(new FluxTranscriberService(), 'flux-general-en')],
  ['Deepgram Flux of many languages', () => harnessOf(new FluxTranscriberService(), 'flux-general-multi')],
])('%s as a transcriber', (_, start) => {
  describeTranscriber(start);
});

it('catches a server of Flux with a defect by its contract', async () => {
  const harness = harnessOf(new FluxTranscriberService(), 'flux-general-en+repeats');
  expect(await failedCheck(TRANSCRIBER_CONTRACT, harness)).toMatch(/^transcribes/);
});
