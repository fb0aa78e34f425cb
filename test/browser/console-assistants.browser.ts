import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { accessibilityProblems, BrowserBench, picture } from '../support/browser-bench.js';
import { baseUrl } from '../support/client.js';
import { LISTENS_TO_TEST, microphone, speak } from '../support/microphone.js';
import { Receiver } from '../support/receiver.js';

const GREETING = 'Hello, how can I help you?';

let bench: BrowserBench;
let receiver: Receiver;
let account: TestAccount;
let page: Page;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const log = () => page.getByRole('log');
/** Beside an input of this label there is the list of its choices. */
const choose = async (label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const open = async (path: string, key = account.token): Promise<void> => {
  page = await bench.page(`${baseUrl()}/console${path}#key=${key}`, { prepare: LISTENS_TO_TEST });
};

beforeAll(async () => {
  [bench, receiver] = await Promise.all([BrowserBench.start(microphone(1)), Receiver.open()]);
});

beforeEach(async () => {
  account = await anAccount();
});

afterAll(() => Promise.all([bench.stop(), receiver.close()]));

/** Made in the console. */
async function anAssistantOfTheConsole(): Promise<number> {
  await open('/');
  // The overview of an account without assistants has a link to them, too.
  const menu = page.getByRole('navigation', { name: 'Navigation' });
  await menu.getByRole('link', { name: 'Assistants' }).click();
  await page.getByRole('link', { name: 'New assistant' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bike shop');
  await button('Create and try it').click();
  await page.getByRole('heading', { name: 'Bike shop' }).waitFor();
  return Number(/assistants\/(\d+)/.exec(page.url())?.[1]);
}

it('an assistant is created, heard and answered, with the time of each answer', async () => {
  await anAssistantOfTheConsole();
  await page.getByRole('tab', { name: 'Voice and model' }).click();
  await choose('Engine', 'Multimodal');
  await choose('Model', 'gpt-realtime-2.1');
  await button('Save').click();
  await page.getByText('Saved. The next call uses it.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('Start talking').click();
  await log().getByText(GREETING).waitFor();
  await speak(page, 'What is your name?');
  await log().getByText('What is your name?').waitFor();
  await log().getByText('I am an assistant').waitFor();
  await log()
    .getByText(/^model .* heard /)
    .first()
    .waitFor();
  await picture(page, 'console-assistant-talk');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('End the call').click();
  await page.getByRole('link', { name: 'Open the call' }).click();
  await page
    .getByRole('row', { name: 'Stability of the voice The realtime model speaks with a voice of its own.' })
    .waitFor();
  await page.getByRole('row', { name: 'Temperature The realtime model does not know it.' }).waitFor();
});

it('an assistant receives text, and calls a number after a confirmation', async () => {
  await anAssistantOfTheConsole();
  await page.getByText('Write', { exact: true }).click();
  await button('Start writing').click();
  await page.getByLabel('Your message').fill('What is your name?');
  await page.keyboard.press('Enter');
  await log()
    .getByText(/^answered in /)
    .waitFor();
  await page.getByText('Call', { exact: true }).last().click();
  await button('polite, +1 500 555 0020').click();
  await button('Call').click();
  await button('Call now').click();
  await log().getByText(GREETING).waitFor();
});

it('changed values are shown beside the stored ones, and errors at their fields', async () => {
  const id = await anAssistantOfTheConsole();
  await page.getByLabel('Instructions').fill('You are {name}. Today is {{current_date}}.');
  await page.getByText('Preview', { exact: true }).click();
  await page.getByText('{name}').last().waitFor();
  await page.getByRole('tab', { name: 'Voice and model' }).click();
  const speed = page.getByLabel('Speed of speech');
  await speed.fill('9');
  const changes = page.getByRole('region', { name: '2 changes' });
  await changes.getByRole('row', { name: 'Speed of speech 1 9' }).waitFor();
  await button('Save').click();
  await page.getByText('must be between 0.7 and 1.2').first().waitFor();
  await picture(page, 'console-assistant-changes');
  expect(await accessibilityProblems(page)).toEqual([]);
  await speed.fill('1.1');
  await button('Save').click();
  await page.getByText('Saved. The next call uses it.').waitFor();
  const { body } = await account.client.get<{ data: object }>(`/user/assistant/${id}`);
  expect(body.data).toMatchObject({
    speech_speed: '1.10',
    system_prompt: 'You are {name}. Today is {{current_date}}.',
  });
});

it('a tool is created, and its test shows the request and the response', async () => {
  receiver.reply = () => ({ body: '{"order":"shipped"}' });
  await open('/tools/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('check_order');
  await page.getByLabel('When and how the assistant uses it').fill('Looks up an order.');
  await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/{order}`);
  await button('Add').first().click();
  const parameters = page.getByRole('group', { name: 'Parameters' });
  await parameters.getByRole('textbox', { name: 'Name' }).fill('order');
  await parameters.getByRole('textbox', { name: 'What it is' }).fill('Number of the order');
  await button('Create').click();
  await page.getByRole('heading', { name: 'check_order' }).waitFor();
  await page.getByRole('textbox', { name: 'order', exact: true }).fill('4711');
  await button('Send').click();
  await page.getByText('The assistant gets this answer.').waitFor();
  await page.getByText(`GET ${receiver.url}/4711`).waitFor();
  await page.getByText('"order": "shipped"').waitFor();
  await picture(page, 'console-tool-test');
  expect(await accessibilityProblems(page)).toEqual([]);
});

it('the widget preview follows the input, and is stored', async () => {
  const id = await anAssistantOfTheConsole();
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page.getByRole('switch', { name: 'Switched on' }).click();
  await page.getByRole('combobox', { name: 'Origins of your web pages' }).fill('https://example.com');
  await page.keyboard.press('Enter');
  await page.getByLabel('Title', { exact: true }).fill('Dr. Lee');
  await page.getByRole('dialog', { name: 'Dr. Lee' }).waitFor();
  await picture(page, 'console-widget');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('Save').click();
  await page.getByText('Pages of one origin show it.').waitFor();
  const { body } = await account.client.get<{ data: object }>(`/user/assistant/${id}`);
  expect(body.data).toMatchObject({
    widget_settings: { enabled: true, allowed_origins: ['https://example.com'], header_title: 'Dr. Lee' },
  });
});

it('a key that may only read sees assistants, and why it may not save or call', async () => {
  const id = await anAssistantOfTheConsole();
  const { token } = await anApiKey(account, { scopes: ['read'] });
  await open(`/assistants/${id}`, token);
  await page.getByText('The key has no scope “write”').waitFor();
  expect(await button('Start talking').isDisabled()).toBe(true);
});
