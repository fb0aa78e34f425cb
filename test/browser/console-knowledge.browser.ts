import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import type { Said } from '../factories/conversation.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { button, ConsoleBench, consolePicture, notice, violations, visit } from '../support/console-bench.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Asks where to park, after what a tool would know. */
const ASKS_A_DOCUMENT = '+15005550038';
const HOURS = `# Opening hours

The shop is open from nine to six on weekdays. On Saturdays it closes at noon, on Sundays all day.

# Parking

You can park your car in the yard, from Mill Lane.
`;
const SCHEMES = ['light', 'dark'] as const;

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

beforeEach(async () => {
  account = await anAccount();
});

afterAll(() => bench.stop());

/** Its picture, and what axe finds, in both colour schemes. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    // Colours of controls change in steps, which begin with the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    await consolePicture(page, `${name}-${colorScheme}`);
    expect(await violations(page)).toEqual([]);
  }
}

const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) });
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('a knowledge base', () => {
  async function create(page: Page): Promise<void> {
    await page.getByText('No knowledge base yet').waitFor();
    await look(page, 'knowledge-empty');
    await page.getByRole('link', { name: 'New knowledge base' }).last().click();
    await button(page, 'Create and add documents').click();
    await page.getByText('The name field is required.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByLabel('What is in it').fill('Opening hours and parking.');
    await choose(page, 'Language of the documents', 'English');
    await button(page, 'Create and add documents').click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    await page.getByText('It has no documents yet.').waitFor();
    await look(page, 'knowledge-base-empty');
  }

  /** One is read, one fails in the service, one is not sent. */
  async function addFiles(page: Page): Promise<void> {
    await page
      .locator('input[type=file]')
      .setInputFiles([file('Hours.txt', HOURS), file('Prices.pdf', 'no PDF'), file('shop.png', '')]);
    await row(page, /^Hours Text active 2/).waitFor();
    await row(page, /^Prices .* PDF failed 0/).waitFor();
    await page.getByRole('alert').getByText('It is none of PDF, Word').waitFor();
    await page.getByText('1 document is searched, 1 has failed.').waitFor();
  }

  async function search(page: Page): Promise<void> {
    await page.getByLabel('Question or words').fill('When do you close on Saturdays?');
    await page.keyboard.press('Enter');
    const found = page.getByRole('article', { name: 'Hours' }).first();
    await found.getByText('› Opening hours').waitFor();
    await found.getByText(/^found by: .*close.*/).waitFor();
    await found.getByText(/^score \d/).waitFor();
    await found.getByText(/^\d+% of the question$/).waitFor();
    expect(await found.locator('mark').allInnerTexts()).toEqual(['Saturdays', 'closes']);
    await look(page, 'knowledge-search');
    await found.getByRole('link', { name: 'Hours' }).click();
  }

  async function seePassages(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1, name: 'Hours' }).waitFor();
    await page.getByText('2 passages are searched.').waitFor();
    await row(page, /^1 Opening hours The shop is open/).waitFor();
    await row(page, /^2 Parking You can park/).waitFor();
    await look(page, 'knowledge-document');
    await button(page, 'Rename').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Hours and parking');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 1, name: 'Hours and parking' }).waitFor();
  }

  async function remove(page: Page): Promise<void> {
    await button(page, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await notice(page, 'Hours and parking is deleted.').waitFor();
    await page.getByText(/^1 has failed\./).waitFor();
    await button(page, 'Delete').click();
    await page.getByText('Its document goes with it. This cannot be undone.').waitFor();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText('No knowledge base yet').waitFor();
  }

  it('is created, filled, searched and deleted', async () => {
    const page = await bench.signedIn(account.token, '/knowledge');
    await create(page);
    await addFiles(page);
    await search(page);
    await seePassages(page);
    await remove(page);
    await page.context().close();
  });

  it('reads a website by its address, and again', async () => {
    const site = await Receiver.open();
    const html = { 'content-type': 'text/html; charset=utf-8' };
    const pageOf = (text: string) => `<title>Help</title><main><h1>Returns</h1><p>${text}</p></main>`;
    site.reply = () => ({ headers: html, body: pageOf('Goods can be sent back within thirty days.') });
    const base = await aKnowledgeBase(account, {});
    const page = await bench.signedIn(account.token, `/knowledge/${base}`);
    await button(page, 'Add a website').click();
    const dialog = page.getByRole('dialog');
    await button(dialog, 'Read it').click();
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).and(page.locator(':focus')).waitFor();
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(site.url);
    await dialog.getByRole('textbox', { name: 'Pages found by links' }).fill('51');
    await button(dialog, 'Read it').click();
    await dialog.getByText(/must be between 1 and 50/).waitFor();
    await look(page, 'knowledge-website');
    await dialog.getByRole('textbox', { name: 'Pages found by links' }).fill('1');
    await button(dialog, 'Read it').click();
    await row(page, /^127\.0\.0\.1.* Website active 1/).waitFor();
    await page.getByRole('link', { name: /^127\.0\.0\.1/ }).click();
    await page.getByText('Goods can be sent back within thirty days.').waitFor();
    site.reply = () => ({ headers: html, body: pageOf('Goods can be sent back within a year.') });
    await button(page, 'Read it again').click();
    await page.getByText('Goods can be sent back within a year.').waitFor();
    await look(page, 'knowledge-website-read');
    await page.context().close();
    await site.close();
  });

  it('asks again for a search that a busy service or a lost connection has refused', async () => {
    const base = await aKnowledgeBase(account, { Hours: HOURS });
    const page = await bench.signedIn(account.token, `/knowledge/${base}`);
    const found = page.getByRole('article', { name: 'Hours' }).first();
    const once = { times: 1 };
    for (const [question, status] of [
      ['noon', 429],
      ['yard', 503],
      ['nine', null],
    ] as const) {
      await page.route(
        /\/search$/,
        (route) => (status ? route.fulfill({ status, headers: { 'retry-after': '1' } }) : route.abort()),
        once,
      );
      await page.getByLabel('Question or words').fill(question);
      await button(page, 'Search').click();
      if (status) await notice(page, 'The service is busy; trying again in 1 s.').last().waitFor();
      await found.getByText(new RegExp(`^found by: .*${question}`)).waitFor();
    }
    await page.context().close();
  });

  it('shows a key that may only read everything, and why it may add nothing', async () => {
    const base = await aKnowledgeBase(account, { Hours: HOURS });
    const { token } = await anApiKey(account, { scopes: ['read'] });
    const page = await bench.signedIn(token, `/knowledge/${base}`);
    await row(page, /^Hours Text active/).waitFor();
    expect(await button(page, 'Choose files').isDisabled()).toBe(true);
    expect(await button(page, 'Delete').isDisabled()).toBe(true);
    await page.getByLabel('Question or words').fill('parking');
    await button(page, 'Search').click();
    await page.getByRole('article', { name: 'Hours' }).first().waitFor();
    await visit(page, '/knowledge');
    expect(await page.getByRole('link', { name: 'New knowledge base' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('an assistant with a knowledge base', () => {
  /** On a busy machine a search may take longer than a turn waits for it: then it is asked again. */
  const ask = (path: string, message: string): Promise<unknown> =>
    until(async () => {
      const { body } = await account.client.post<Said>(`${path}/messages`, { message });
      return (
        body.function_calls[0]?.result !== undefined && 'passages' in Object(body.function_calls[0].result)
      );
    });
  const callWithSources = (assistant: number): Promise<number> =>
    until(async () => {
      const call = await aCall(account, assistant, { phoneNumber: ASKS_A_DOCUMENT });
      await callWhen(account, call, ({ status }) => status === 'completed');
      const { text } = await account.client.get(`/user/calls/${call}/turns`);
      return text.includes('yard') ? call : null;
    });

  it('is set in the editor, which shows at the field why a mode is refused', async () => {
    const long = 'Every shop has opening hours. '.repeat(1200);
    const base = await aKnowledgeBase(account, { Long: long }, { name: 'Shop' });
    const assistant = await anAssistant(account);
    const page = await bench.signedIn(account.token, `/assistants/${assistant}?group=tools`);
    await choose(page, 'Knowledge base', 'Shop');
    await choose(page, 'Use of the knowledge base', 'Whole text');
    await button(page, 'Save').click();
    await page.getByText(/^The knowledgebase has about .* tokens\./).waitFor();
    await look(page, 'assistant-knowledge');
    await choose(page, 'Use of the knowledge base', 'Search');
    await button(page, 'Save').click();
    await notice(page, 'Saved. The next call uses it.').waitFor();
    const { body } = await account.client.get<{ data: object }>(`/user/assistant/${assistant}`);
    expect(body.data).toMatchObject({ knowledgebase_id: base, knowledgebase_mode: 'function_call' });
    await page.context().close();
  });

  it('shows the sources of its answers, and the questions without one', async () => {
    const base = await aKnowledgeBase(account, { Hours: HOURS }, { name: 'Shop' });
    const assistant = await anAssistant(account, { knowledgebase_id: base });
    const call = await callWithSources(assistant);
    const { body } = await account.client.post<{ conversation_id: string }>('/conversations', {
      assistant_id: assistant,
      type: 'test',
    });
    const path = `/conversations/${body.conversation_id}`;
    await ask(path, 'Where can I park my car?');
    await ask(path, 'Which elephants do zebras recommend?');

    const page = await bench.signedIn(account.token, path);
    await page.getByRole('list', { name: 'Sources' }).getByText('Hours › Parking').waitFor();
    await page.getByText('No document says it.').waitFor();
    await look(page, 'conversation-sources');

    await visit(page, `/calls/${call}`);
    await page.getByText('searches the documents').first().waitFor();
    await page.getByRole('list', { name: 'Sources' }).getByText('Hours › Parking').waitFor();
    await look(page, 'call-sources');

    await visit(page, `/knowledge/${base}?tab=unanswered`);
    await page.getByRole('link', { name: 'Ask: Which elephants do zebras recommend?' }).click();
    await page.getByText('No document has these words.').waitFor();
    await until(async () => (await page.getByLabel('Question or words').inputValue()).startsWith('Which'));
    await look(page, 'knowledge-unanswered');
    await page.context().close();
  });
});
