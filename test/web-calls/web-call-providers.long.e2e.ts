import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { AudioBrowser } from '../factories/audio-browser.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant, ORIGIN, Visitor } from '../factories/conversation.js';
import { beginWebCall, type WebCall } from '../factories/web-call.js';
import { FlakySpeech } from '../support/flaky-speech.js';
import { MULTIMODAL } from '../support/multimodal-call.js';
import { OwnService } from '../support/own-service.js';

/** To `What is your name?`, to its end. */
const ANSWER = /meet us\? ?$/;
/** Of the catalogue: the sandbox's. */
const SPEECH = { synthesizer_provider_id: 1, transcriber_provider_id: 2 };

interface Record {
  transcript: string;
  ended_reason: string;
  settings_not_applied: string[];
}

let service: OwnService;
let flawed: FlakySpeech;
let account: TestAccount;

beforeAll(async () => {
  flawed = await FlakySpeech.start({
    mute: { path: '/audio/speech', after: 0, status: 401 },
    deaf: { path: '/audio/transcriptions', after: 0, status: 401 },
  });
  const endpoints = ['mute', 'deaf'].map((name) => [name, { base_url: flawed.urlOf(name), api_key: 'key' }]);
  service = await OwnService.start(undefined, {
    SPEECH_ENDPOINTS: JSON.stringify(Object.fromEntries(endpoints)),
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    PUBLIC_RATE_LIMIT_PER_MINUTE: '12',
  });
  await service.db.query(
    `INSERT INTO speech_providers (id, name, kind, adapter, code, endpoint, default_voice)
          VALUES (1001, 'mute', 'synthesizer', 'openai', 'tts-1', 'mute', 'alloy'),
                 (1002, 'deaf', 'transcriber', 'openai', 'whisper-1', 'deaf', NULL)`,
  );
  await service.db.query(
    `INSERT INTO language_models (id, name, mode, code, takes_temperature, output_limit_field, fallback_model_id)
          VALUES (901, 'refuses', 'multimodal', 'gpt-realtime+refuses', true, 'max_tokens', 1),
                 (903, 'breaks', 'multimodal', 'gpt-realtime+breaks', true, 'max_tokens', 1)`,
  );
  account = await service.account();
});

afterAll(async () => {
  await service.stop();
  flawed.stop();
});

const recordOf = async (of: TestAccount, { call_id }: WebCall): Promise<Record> => {
  await callWhen(of, call_id, ({ status }) => status === 'completed');
  return (await of.client.get<Record>(`/user/calls/${call_id}`)).body;
};

const readies = (browser: AudioBrowser) =>
  browser.frames.filter(({ type }) => type === 'ready').map((frame) => frame['line']);

async function ended(browser: AudioBrowser, call: WebCall): Promise<Record> {
  browser.says('Thank you, goodbye.');
  await browser.frame(({ type }) => type === 'end');
  browser.socket.close(1000);
  const record = await recordOf(account, call);
  expect(record.transcript.match(/how can I help you\?/g)).toHaveLength(1);
  expect(record.transcript).toContain('Customer: Thank you, goodbye.');
  return record;
}

/** Its process: web-call-losses.long.e2e.ts. */
describe('a web call that loses', () => {
  it.each([
    ['speaks', { synthesizer_provider_id: 1_001 }],
    ['listens', { transcriber_provider_id: 1_002 }],
  ])('its provider that %s continues in text, and reports it', async (who, flaw) => {
    const assistant_id = await anAssistant(account, { ...SPEECH, ...flaw });
    const call = await beginWebCall(account, { assistant_id });
    const browser = await AudioBrowser.openAudio(call.url);
    if (who === 'listens') {
      await browser.listensOut(/help you\? ?$/);
      browser.talks('What is your name?');
    }
    await browser.frame(() => readies(browser).includes('text'));
    expect(readies(browser)).toEqual(['audio', 'text']);
    const { settings_not_applied } = await ended(browser, call);
    expect(settings_not_applied).toEqual(expect.arrayContaining(Object.keys(SPEECH)));
    expect(settings_not_applied).not.toContain('engine_type');
  });

  it('its realtime model continues with the providers', async () => {
    const fields = { ...MULTIMODAL, llm_model: 'refuses', ...SPEECH };
    const call = await beginWebCall(account, { assistant_id: await anAssistant(account, fields) });
    const browser = await AudioBrowser.openAudio(call.url);
    await browser.listensOut(/help you\? ?$/);
    browser.talks('What is your name?');
    await browser.listensOut(ANSWER);
    expect(readies(browser)).toEqual(['audio', 'audio']);
    const { settings_not_applied, transcript } = await ended(browser, call);
    expect(settings_not_applied[0]).toBe('engine_type');
    for (const name of Object.keys(SPEECH)) expect(settings_not_applied).not.toContain(name);
    expect(transcript).toContain('Customer: What is your name?');
  });

  it.each([
    ['cannot be reached', 'refuses', 'text'],
    ['breaks off in the middle', 'breaks', 'audio'],
  ])('its model, which %s, continues in text', async (_case, llm_model, line) => {
    const assistant_id = await anAssistant(account, { ...MULTIMODAL, llm_model });
    const call = await beginWebCall(account, { assistant_id });
    const browser = await AudioBrowser.openAudio(call.url);
    await browser.frame(() => readies(browser).includes(line));
    if (line === 'audio') {
      await browser.listens(/help you\? ?$/);
      browser.talks('What is your name?');
      await browser.listens(ANSWER);
      // It breaks off in place of its second answer.
      browser.talks('When do you open?');
      await browser.frame(() => readies(browser).includes('text'));
    }
    const { settings_not_applied } = await ended(browser, call);
    expect(settings_not_applied[0]).toBe('engine_type');
  });
});

it('limits how many web calls begin from one address', async () => {
  const user = await service.account();
  const { uuid } = await aWidgetAssistant(user);
  const { client } = new Visitor(`${service.service.url}/api`);
  const answers: [number, string | null][] = [];
  for (let count = 0; count < 3; count += 1) {
    const { status, headers } = await client.post('/web-calls', { assistant_id: uuid }, { Origin: ORIGIN });
    answers.push([status, headers.get('access-control-allow-origin')]);
  }
  expect(answers).toEqual([
    [200, ORIGIN],
    [200, ORIGIN],
    [429, '*'],
  ]);
});
