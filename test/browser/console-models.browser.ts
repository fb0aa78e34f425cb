import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { BrowserBench } from '../support/browser-bench.js';
import { runCommand } from '../support/command.js';
import { consolePicture, ready, violations } from '../support/console-bench.js';
import { OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let bench: BrowserBench;
let service: OwnService;
let account: TestAccount;

const cli = async (...args: string[]): Promise<void> => {
  const { code, problem } = await runCommand(args, { DATABASE_URL: service.url });
  if (code !== 0) throw new Error(problem);
};

beforeAll(async () => {
  [bench, service] = await Promise.all([BrowserBench.start(), OwnService.start()]);
  account = await service.account();
});

afterAll(async () => {
  await bench.stop();
  await service.stop();
});

it('a model that ends within 60 days is a warning of the overview, with the assistants that use it', async () => {
  const models = { ending: 59, shared: 1, later: 61 };
  for (const [name, days] of Object.entries(models)) {
    await cli('models', 'add', name, '--code', 'gpt-6-luna');
    await cli('models', 'retire', name, '--on', inDays(days), '--replaced-by', 'gpt-6-luna');
  }
  // A start checks the models. The list of them is kept for half a minute.
  await service.restart();
  await until(async () => {
    const { body } =
      await account.client.get<{ name: string; warning?: string }[]>('/user/assistants/models');
    return body.some(({ name, warning }) => name === 'ending' && warning === 'retiring');
  });
  const id = await anAssistant(account, { llm_model: 'ending', assistant_name: 'Ada' });
  for (const name of ['Bea', 'Cem'])
    await anAssistant(account, { llm_model: 'shared', assistant_name: name });
  await anAssistant(account, { llm_model: 'later' });
  const page = await bench.page(`${service.service.url}/console/#key=${account.token}`);
  await ready(page);
  const warnings = page.getByRole('region', { name: 'Needs attention' });
  await warnings
    .getByText(`The model “ending” ends on ${inDays(59)}; from then on “gpt-6-luna” is used.`)
    .waitFor();
  await warnings.getByRole('link', { name: /^Used by “(Bea|Cem)” and 1 more$/ }).waitFor();
  expect(await warnings.getByText('“later”').count()).toBe(0);
  await consolePicture(page, 'overview-models');
  expect(await violations(page)).toEqual([]);
  await warnings.getByRole('link', { name: 'Used by “Ada”' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/assistants/${id}`);
  await page.context().close();
});
