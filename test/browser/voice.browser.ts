import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { accessibilityProblems, BrowserBench, picture } from '../support/browser-bench.js';
import { SPEECH } from '../support/browser-speech.js';
import { until } from '../support/until.js';

let bench: BrowserBench;
let account: TestAccount;
let page: Page;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const log = () => page.getByRole('log');
const status = () => page.getByRole('status');
const inPage = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
const whenInPage = (condition: string) => until(() => inPage<boolean>(condition));

beforeAll(async () => {
  bench = await BrowserBench.start();
  account = await anAccount();
  const { uuid } = await aWidgetAssistant(account, {
    widget_settings: { enabled: true, allowed_origins: [bench.origin] },
  });
  bench.attributes = { 'data-assistant-id': uuid };
});

beforeEach(async () => {
  page = await bench.page(bench.origin, { prepare: SPEECH });
  await button('Talk to us').click();
  await button('Talk').click();
  // It listens for a moment before the greeting, too.
  await whenInPage('ended === 1 && ear !== null');
  await status().getByText('Listening').waitFor();
});

afterAll(() => bench.stop());

async function endOfCall(): Promise<string> {
  await button('End').click();
  await page.context().close();
  const { body } = await account.client.get<{ data: { id: number }[] }>('/user/calls?type=web');
  const id = body.data[0]?.id ?? 0;
  await callWhen(account, id, (call) => call.status === 'completed');
  return (await account.client.get<{ transcript: string }>(`/user/calls/${id}`)).body.transcript;
}

describe('a call in the voice of the browser', () => {
  it('speaks, listens, and shows the words of both sides', async () => {
    expect(await inPage('spoken')).toEqual(['Hello, how can I help you?']);
    await inPage(`hear('What is', false)`);
    await page.getByText('What is', { exact: true }).waitFor();
    await picture(page, 'voice');
    expect(await accessibilityProblems(page)).toEqual([]);
    await inPage(`hear('What is your name?', true)`);
    await log().getByText('What is your name?').waitFor();
    await whenInPage('spoken.length > 1 && ear !== null');
    expect(await endOfCall()).toMatch(/\nCustomer: What is your name\?\nAI: I am an assistant/);
  });

  it('does not hear itself, and stops when it is interrupted', async () => {
    await inPage('window.isSlow = true');
    await inPage(`hear('What is your name?', true)`);
    await status().getByText('Speaking').waitFor();
    expect(await inPage('ear === null')).toBe(true);
    await button('Interrupt').click();
    await status().getByText('Listening').waitFor();
    await inPage('window.isSlow = false');
    // The recogniser starts when the interrupted speech has ended.
    await whenInPage('ear !== null');
    await inPage(`hear('When do you open?', true)`);
    await log().getByText('When do you open?').waitFor();
    await whenInPage('spoken.length > 2 && ear !== null');
    // The first word was heard.
    expect(await endOfCall()).toMatch(/Customer: What is your name\?\nAI: I\nCustomer: When do you open\?/);
  });

  it('does not listen while it is muted', async () => {
    await button('Mute').click();
    await status().getByText('Muted').waitFor();
    expect(await inPage('ear === null')).toBe(true);
    expect(await button('Unmute').getAttribute('aria-pressed')).toBe('true');
    await button('Unmute').click();
    await whenInPage('ear !== null');
    await endOfCall();
  });

  it('continues in text where speech is not recognised', async () => {
    await inPage(`ear.onerror({ error: 'network' })`);
    await page.getByRole('alert').getByText('Your browser cannot understand speech here.').waitFor();
    await page.getByLabel('Your message').fill('What is your name?');
    await page.keyboard.press('Enter');
    await log().getByText('I am an assistant').waitFor();
    expect(await endOfCall()).toContain('Customer: What is your name?');
  });
});
