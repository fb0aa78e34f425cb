import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { accessibilityProblems, BrowserBench, picture } from '../support/browser-bench.js';
import { CAN_HIDE } from '../support/background-tab.js';
import { baseUrl } from '../support/client.js';
import { LISTENS_TO_TEST, microphone, speak } from '../support/microphone.js';
import { MULTIMODAL } from '../support/multimodal-call.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const GREETING = 'Hello, how can I help you?';

let account: TestAccount;
let page: Page;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const log = () => page.getByRole('log');
const status = () => page.getByRole('status');

const benches: BrowserBench[] = [];
const proxies: TcpProxy[] = [];

async function started(args: string[]): Promise<BrowserBench> {
  const bench = await BrowserBench.start(args);
  benches.push(bench);
  return bench;
}

/** The widget of a multimodal assistant, opened. */
async function open(bench: BrowserBench, fields: Record<string, unknown> = {}): Promise<number> {
  const { id, uuid } = await aWidgetAssistant(account, {
    ...MULTIMODAL,
    initial_message: GREETING,
    // A person whom a busy machine keeps waiting is not asked, nor given up.
    re_engagement_interval: 600,
    max_silence_duration: 120,
    widget_settings: { enabled: true, allowed_origins: [bench.origin] },
    ...fields,
  });
  bench.attributes = { 'data-assistant-id': uuid };
  page = await bench.page(bench.origin, { prepare: LISTENS_TO_TEST + CAN_HIDE });
  await button('Talk to us').click();
  return id;
}

async function record(): Promise<{ transcript: string; settings_not_applied: string[] }> {
  const { body } = await account.client.get<{ data: { id: number }[] }>('/user/calls?type=web');
  const id = body.data[0]?.id ?? 0;
  await callWhen(account, id, ({ status: state }) => state === 'completed');
  const call = await account.client.get<{ transcript: string; settings_not_applied: string[] }>(
    `/user/calls/${id}`,
  );
  return call.body;
}

const words = (text: string): string => text.replace(/(AI|Customer|You|Assistant):?|\s/g, '');

beforeAll(async () => {
  account = await anAccount({ plan: 'unlimited' });
});

afterAll(async () => {
  await Promise.all(benches.map((bench) => bench.stop()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

describe('a call over the audio of the browser', () => {
  /** With the sandbox's speech in place of a realtime model. */
  const PROVIDERS = {
    engine_type: 'pipeline',
    llm_model: 'gpt-6-luna',
    voice_id: 1,
    synthesizer_provider_id: 1,
    transcriber_provider_id: 2,
  };

  it.each([
    ['a realtime model', {}],
    ['speech providers', PROVIDERS],
  ])('hears the person, speaks, shows captions, and accepts text, by %s', async (_name, fields) => {
    const bench = await started(microphone(1));
    await open(bench, fields);
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await button('Talk').click();
    await status().getByText('Speaking').waitFor();
    await log().getByText(GREETING).waitFor();
    await status().getByText('Listening').waitFor();
    await picture(page, 'audio-listening');
    expect(await accessibilityProblems(page)).toEqual([]);
    await speak(page, 'What is your name?');
    await log().getByText('What is your name?').waitFor();
    await log().getByText('I am an assistant').waitFor();
    await picture(page, 'audio-captions');
    await button('Interrupt').click();
    await status().getByText('Listening').waitFor();
    await button('Mute').click();
    await status().getByText('Muted').waitFor();
    await page.getByLabel('Your message').fill('When do you open?');
    await page.keyboard.press('Enter');
    await status().getByText('Speaking').waitFor();
    await status().getByText('Muted').waitFor();
    const captions = await log().innerText();
    await button('End').click();
    await page.getByText('The conversation has ended.').waitFor();
    expect(problems).toEqual([]);
    const { transcript, settings_not_applied } = await record();
    expect(settings_not_applied).not.toContain('engine_type');
    expect(transcript).toMatch(
      /^AI: Hello, how can I help you\?\nCustomer: What is your name\?\nAI: I am an assistant.*\nCustomer: When do you open\?\nAI: /,
    );
    expect(transcript).not.toContain('meet us');
    expect(words(captions)).toBe(words(transcript));
    await page.context().close();
  });
});

describe('in a call over the audio of the browser', () => {
  let bench: BrowserBench;

  beforeAll(async () => {
    bench = await started(microphone(1));
  });

  it('the person interrupts by speaking', async () => {
    const goesOn = ' We have bicycles of every kind, for each age and for all weathers.'.repeat(5);
    await open(bench, { initial_message: `${GREETING}${goesOn} We have all that belongs to them, too.` });
    await button('Talk').click();
    await log().getByText(GREETING).waitFor();
    await speak(page, 'Wait a moment');
    await log().getByText('Wait a moment').waitFor();
    await button('End').click();
    const { transcript } = await record();
    expect(transcript).toMatch(/^AI: Hello,.*\nCustomer: Wait a moment/);
    expect(transcript).not.toContain('belongs');
    await page.context().close();
  });

  it('the person talks and interrupts while the tab is in the background', async () => {
    await open(bench);
    await button('Talk').click();
    await status().getByText('Listening').waitFor();
    await log().getByText(GREETING).waitFor();
    await page.evaluate('hide()');
    await speak(page, 'What is your name?');
    await log().getByText('I am an assistant').waitFor();
    await speak(page, 'Wait a moment');
    await log().getByText('Wait a moment').waitFor();
    await button('End').click();
    await page.getByText('The conversation has ended.').waitFor();
    const captions = await log().innerText();
    const { transcript } = await record();
    expect(transcript).toMatch(
      /^AI: Hello, how can I help you\?\nCustomer: What is your name\?\nAI: I am an assistant.*\nCustomer: Wait a moment/,
    );
    // The end may come with the first words of the next answer, before their captions.
    expect(words(transcript).slice(0, words(captions).length)).toBe(words(captions));
    await page.context().close();
  });

  it('the network is lost in the middle of an answer and comes back, and no word is lost or repeated', async () => {
    const proxy = await TcpProxy.open(baseUrl());
    proxies.push(proxy);
    bench.alsoConnects = proxy.url.replace('http', 'ws');
    await open(bench);
    bench.alsoConnects = '';
    await page.route('**/api/web-calls', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { url: string };
      const url = body.url.replace(/^ws:\/\/[^/]+/, proxy.url.replace('http', 'ws'));
      await route.fulfill({ response, json: { ...body, url } });
    });
    await button('Talk').click();
    await status().getByText('Listening').waitFor();
    await log().getByText(GREETING).waitFor();
    await speak(page, 'What is your name?');
    await log().getByText('I am').waitFor();
    proxy.lose();
    const retried = page.waitForEvent('websocket');
    await page.context().setOffline(true);
    await status().getByText('The connection broke. Trying again…').waitFor();
    await retried;
    proxy.up();
    await page.context().setOffline(false);
    await status().getByText('Speaking').waitFor();
    await status().getByText('Listening').waitFor();
    await speak(page, 'When do you open?');
    await log().getByText('When do you open?').waitFor();
    await status().getByText('Speaking').waitFor();
    await button('End').click();
    await page.getByText('The conversation has ended.').waitFor();
    const { transcript } = await record();
    expect(transcript.match(/I am an assistant/g)).toHaveLength(1);
    expect(transcript).toMatch(
      /Customer: What is your name\?\nAI: I am an assistant.*\nCustomer: When do you open\?/,
    );
    await page.context().close();
  });

  it('the microphone of the browser is heard', async () => {
    // A busy browser loses audio of its microphone.
    const again = Array.from({ length: 20 }, () => ['What is your name?', 3]).flat();
    await open(await started(microphone(...again)));
    await button('Talk').click();
    await log().getByText('What is your name?').first().waitFor();
    await page.context().close();
  });

  it('a visitor may write instead', async () => {
    await open(bench);
    await button('Write').click();
    await log().getByText(GREETING).waitFor();
    await page.getByLabel('Your message').fill('What is your name?');
    await page.keyboard.press('Enter');
    await log().getByText('I am an assistant').waitFor();
    await button('End').click();
    expect((await record()).settings_not_applied[0]).toBe('engine_type');
    await page.context().close();
  });

  it('the voice of the browser replaces audio that cannot be played', async () => {
    await open(bench);
    await page.evaluate('delete window.AudioWorkletNode');
    await button('Talk').click();
    await log().getByText(GREETING).waitFor();
    await button('End').click();
    expect((await record()).settings_not_applied[0]).toBe('engine_type');
    await page.context().close();
  });
});

it('a blocked microphone is reported before a call begins', async () => {
  const denying = await started(['--deny-permission-prompts']);
  await open(denying);
  const begun: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') begun.push(request.url());
  });
  await button('Talk').click();
  await page.getByRole('alert').getByText('The microphone is blocked.').waitFor();
  expect(begun).toEqual([]);
  await picture(page, 'audio-blocked');
  await button('Write').click();
  await log().getByText(GREETING).waitFor();
});

it('a page of another origin begins no call, whatever its script requests', async () => {
  const bench = await started(microphone(10));
  const id = await open(bench);
  // After the widget was shown.
  await account.client.put(`/user/assistant/${id}`, {
    widget_settings: { enabled: true, allowed_origins: ['https://shop.example'] },
  });
  await button('Talk').click();
  // Why it was refused is nothing that such a page may read.
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  await picture(page, 'audio-refused');
});
