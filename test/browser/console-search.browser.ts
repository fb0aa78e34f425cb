import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, HANGS_UP } from '../factories/call.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { addressOf, ConsoleBench, consolePicture, violations } from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;
let call: number;
let assistantId: number;
let campaignId: number;
let baseId: number;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  account = await anAccount();
  assistantId = await anAssistant(account, { assistant_name: 'Receptionist' });
  call = await aCall(account, assistantId);
  const campaign = { name: 'Check-ups', assistant_id: assistantId };
  campaignId = (await account.client.post<{ data: { id: number } }>('/user/campaigns', campaign)).body.data
    .id;
  baseId = await aKnowledgeBase(account, {}, { name: 'Opening hours' });
});

afterAll(() => bench.stop());

describe('Ctrl K', () => {
  it.each([
    ['a call by its number', HANGS_UP, /500 555 0023/, (): string => `/calls/${call}`],
    ['a call by its id', (): string => String(call), /500 555 0023/, (): string => `/calls/${call}`],
    ['a campaign by its name', 'check', 'Check-ups', (): string => `/campaigns/${campaignId}`],
    ['an assistant by its name', 'recept', 'Receptionist', (): string => `/assistants/${assistantId}`],
    ['a knowledge base by its name', 'opening', 'Opening hours', (): string => `/knowledge/${baseId}`],
    ['a page by its name', 'do not', 'Do not call', (): string => '/suppressions'],
  ] as const)('finds %s', async (_what, typed, found, path): Promise<void> => {
    const page = await bench.signedIn(account.token, '/messages');
    await page.keyboard.press('Control+k');
    const box = page.getByRole('textbox', { name: 'Search' });
    await box.fill(typeof typed === 'string' ? typed : typed());
    await page.getByRole('dialog').getByRole('button', { name: found }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(addressOf(path()));
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'reports when nothing is found, and closes on Escape (%s)',
    async (colorScheme) => {
      const page = await bench.signedIn(account.token, '/messages', { colorScheme });
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Search' }).fill('xyzzy');
      await page.getByText('Nothing found').waitFor();
      await consolePicture(page, `search-${colorScheme}`);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'detached' });
      await page.context().close();
    },
  );
});
