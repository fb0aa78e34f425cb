import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { button, ConsoleBench, notice } from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

beforeEach(async () => {
  account = await anAccount();
});

afterAll(() => bench.stop());

/** Ends when the list is read again. */
const readAgain = async (page: Page, path: string): Promise<void> => {
  const answer = await page.waitForResponse(
    (response) => response.request().method() === 'GET' && new URL(response.url()).pathname.endsWith(path),
  );
  await answer.finished();
};

it('the widget of the shown assistant stays in its form when that of another one is switched on', async () => {
  const names = ['Front desk', 'Night desk'];
  const ids = [];
  for (const assistant_name of names) ids.push(await anAssistant(account, { assistant_name }));
  const page = await bench.signedIn(account.token, '/widget');
  const shown = page.getByRole('combobox', { name: 'Assistant' });
  const name = await shown.inputValue();
  const other = ids[name === names[0] ? 1 : 0];
  const { status } = await account.client.put(`/user/assistant/${other}`, {
    widget_settings: { enabled: true },
  });
  expect(status).toBe(200);
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Dr. Lee');
  const again = readAgain(page, '/user/assistants');
  await button(page, 'Save').click();
  await again;
  await notice(page, /^Saved/).waitFor();
  expect(await shown.inputValue()).toBe(name);
  expect(await title.inputValue()).toBe('Dr. Lee');
  await page.context().close();
});

it('the variables of a lead are the stored ones after edits are discarded', async () => {
  const lead = await aLead(account, await aCampaign(account), { variables: { name: 'Alex' } });
  const page = await bench.signedIn(account.token, `/leads/${lead.id}/edit`);
  const variable = page.getByRole('textbox', { name: 'Value name', exact: true });
  await variable.fill('Kim');
  await button(page, 'Add a variable').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('city');
  await page.getByRole('textbox', { name: 'Value city', exact: true }).fill('Paris');
  await button(page, 'Discard changes').click();
  expect(await variable.inputValue()).toBe('Alex');
  expect(await page.getByRole('textbox', { name: 'Value city', exact: true }).count()).toBe(0);
  await page.context().close();
});
