import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { accessibilityProblems, BrowserBench, picture } from '../support/browser-bench.js';
import { baseUrl } from '../support/client.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let bench: BrowserBench;
let account: TestAccount;
let assistant: { id: number; uuid: string };

beforeAll(async () => {
  bench = await BrowserBench.start();
  account = await anAccount();
  assistant = await aWidgetAssistant(account, {
    widget_settings: { enabled: true, allowed_origins: [bench.origin], header_title: 'Stored title' },
  });
  bench.attributes = { 'data-assistant-id': assistant.uuid };
});

afterAll(() => bench.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const log = (page: Page) => page.getByRole('log');
const error = (page: Page) => page.getByRole('alert');

/** The last web call of the account, when it is over. */
async function lastCall(owner = account) {
  const { body } = await owner.client.get<{ data: { id: number }[] }>('/user/calls?type=web');
  const id = body.data[0]?.id ?? 0;
  await callWhen(owner, id, ({ status }) => status === 'completed');
  return (await owner.client.get<{ transcript: string; ended_by: string }>(`/user/calls/${id}`)).body;
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.keyboard.press('Enter');
}

describe('the widget', () => {
  it.each(['light', 'dark'] as const)('holds a call in text by keyboard alone (%s)', async (colorScheme) => {
    const page = await bench.page(bench.origin, { colorScheme });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await button(page, 'Talk to us').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Stored title' }).waitFor();
    await picture(page, `start-${colorScheme}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await log(page).getByText('Hello, how can I help you?').waitFor();
    await page.keyboard.type('What is your name?');
    await page.keyboard.press('Enter');
    await log(page).locator('p').nth(2).waitFor();
    await picture(page, `call-${colorScheme}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Enter');
    await button(page, 'End').click();
    await page.getByText('The conversation has ended.').waitFor();
    await picture(page, `end-${colorScheme}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    const { transcript, ended_by } = await lastCall();
    expect(ended_by).toBe('customer');
    expect(transcript).toMatch(/^AI: Hello, how can I help you\?\nCustomer: What is your name\?\nAI: /);
    await page.context().close();
  });

  it('ends when the assistant says goodbye, and starts again', async () => {
    const page = await bench.page(bench.origin);
    await button(page, 'Talk to us').click();
    await button(page, 'Write').click();
    await log(page).getByText('Hello, how').waitFor();
    await write(page, 'Thank you, goodbye.');
    await log(page).getByText('Goodbye!').waitFor();
    await page.getByText('The conversation has ended.').waitFor();
    await button(page, 'Start again').click();
    await button(page, 'Write').click();
    await log(page).getByText('Hello, how').waitFor();
    expect(await log(page).locator('p').count()).toBe(1);
    await page.context().close();
  });

  it('speaks the language of the assistant, with the texts of the page', async () => {
    const german = await aWidgetAssistant(account, {
      language: 'German',
      initial_message: 'Guten Tag!',
      widget_settings: { enabled: true, allowed_origins: [bench.origin], header_title: 'Alt' },
    });
    bench.attributes = {
      'data-assistant-id': german.uuid,
      'data-header-title': 'Fahrradladen',
      'data-header-subtitle': 'Wir sind da',
      'data-button-main-text': 'Fragen?',
      'data-button-sub-text': 'Rund um die Uhr',
      'data-modal-title': 'Guten Tag',
      'data-color': '#facc15',
      'data-position': 'top-left',
    };
    const page = await bench.page(bench.origin, { viewport: { width: 360, height: 640 } });
    bench.attributes = { 'data-assistant-id': assistant.uuid };
    await page.getByRole('button', { name: /Fragen\?/ }).click();
    await page.getByRole('dialog', { name: 'Fahrradladen' }).waitFor();
    await button(page, 'Schreiben').waitFor();
    await picture(page, 'german');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.context().close();
  });

  it('exists once on a page that has its script twice, also as a module', async () => {
    bench.scripts = 2;
    const twice = await bench.page(bench.origin);
    bench.scripts = 1;
    await twice.waitForLoadState('networkidle');
    expect(await button(twice, 'Talk to us').count()).toBe(1);
    await twice.context().close();
    bench.attributes = { ...bench.attributes, type: 'module' };
    const module = await bench.page(bench.origin);
    bench.attributes = { 'data-assistant-id': assistant.uuid };
    await button(module, 'Talk to us').waitFor();
    await module.context().close();
  });

  it('is readable without messages', async () => {
    const page = await bench.page(bench.origin, { colorScheme: 'dark' });
    await button(page, 'Talk to us').click();
    await button(page, 'Write').click();
    await log(page).getByText('Hello, how').waitFor();
    // axe does not look at it. The same as other quiet text: 4.5 times as light as what is behind it, or more.
    const hint = await page.evaluate(
      `getComputedStyle(document.querySelector('voice-assistant-widget').shadowRoot.querySelector('input'), '::placeholder').color`,
    );
    expect(hint).toBe('rgb(209, 213, 219)');
    await page.context().close();
  });

  it('reopens the line when it breaks', async () => {
    const proxy = await TcpProxy.open(baseUrl());
    bench.alsoConnects = proxy.url.replace('http', 'ws');
    const page = await bench.page(bench.origin);
    await page.route('**/api/web-calls', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { url: string };
      const url = body.url.replace(/^ws:\/\/[^/]+/, proxy.url.replace('http', 'ws'));
      await route.fulfill({ response, json: { ...body, url } });
    });
    await button(page, 'Talk to us').click();
    await button(page, 'Write').click();
    await log(page).getByText('Hello, how').waitFor();
    proxy.down();
    await page.getByText('The connection broke. Trying again…').waitFor();
    proxy.up();
    await page.getByText('Connected').waitFor();
    await write(page, 'Thank you, goodbye.');
    await page.getByText('The conversation has ended.').waitFor();
    expect((await lastCall()).transcript.match(/how can I help you/g)).toHaveLength(1);
    await page.context().close();
    await proxy.close();
  });
});

describe('the widget reports', () => {
  it('that the microphone is blocked, and lets the person write', async () => {
    const denying = await BrowserBench.start(['--deny-permission-prompts']);
    const { uuid } = await aWidgetAssistant(account, {
      widget_settings: { enabled: true, allowed_origins: [denying.origin] },
    });
    denying.attributes = { 'data-assistant-id': uuid };
    const page = await denying.page(denying.origin);
    await button(page, 'Talk to us').click();
    await button(page, 'Talk').click();
    await error(page).getByText('The microphone is blocked.').waitFor();
    await picture(page, 'microphone-blocked');
    await button(page, 'Write').click();
    await log(page).getByText('Hello, how').waitFor();
    await denying.stop();
  });

  it('that no microphone is available', async () => {
    const page = await bench.page(bench.origin, {
      prepare: `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));`,
    });
    await button(page, 'Talk to us').click();
    await button(page, 'Talk').click();
    await error(page).getByText('No microphone was found.').waitFor();
    await page.context().close();
  });

  it('that the person is offline', async () => {
    const page = await bench.page(bench.origin);
    await button(page, 'Talk to us').click();
    await page.context().setOffline(true);
    await button(page, 'Write').click();
    await error(page).getByText('You are offline.').waitFor();
    await page.context().close();
  });

  it('that the line cannot be opened at all, before a call is shown', async () => {
    const page = await bench.page(bench.origin, {
      prepare: `window.WebSocket = class { constructor() { throw new DOMException('', 'SecurityError'); } };`,
    });
    await button(page, 'Talk to us').click();
    await button(page, 'Write').click();
    await error(page).getByText('The service cannot be reached.').waitFor();
    expect(await button(page, 'End').count()).toBe(0);
    expect(await button(page, 'Write').count()).toBe(1);
    await page.context().close();
  });

  it('that all lines are busy', async () => {
    const busy = await anAccount();
    const { id, uuid } = await aWidgetAssistant(busy, {
      widget_settings: { enabled: true, allowed_origins: [bench.origin] },
    });
    const begin = () => busy.client.post('/user/web-calls', { assistant_id: id });
    while ((await begin()).status === 200);
    bench.attributes = { 'data-assistant-id': uuid };
    const page = await bench.page(bench.origin);
    bench.attributes = { 'data-assistant-id': assistant.uuid };
    await button(page, 'Talk to us').click();
    await button(page, 'Write').click();
    await error(page).getByText('All lines are busy.').waitFor();
    await page.context().close();
  });

  it('nothing to visitors of a page that may not show it', async () => {
    const { uuid } = await aWidgetAssistant(account);
    bench.attributes = { 'data-assistant-id': uuid };
    const page = await bench.page('about:blank');
    const told = page.waitForEvent('console', (message) =>
      /not shown: HTTP 403|not shown/.test(message.text()),
    );
    await page.goto(bench.origin);
    bench.attributes = { 'data-assistant-id': assistant.uuid };
    expect((await told).text()).toMatch(/^The voice assistant is not shown/);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.context().close();
  });
});
