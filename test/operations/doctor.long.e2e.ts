import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { OpenAiServer } from '#src/modules/llm/openai-server.fake.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { runBuilt } from '../support/command.js';

it('doctor reports how many assistants have a sensitivity whose meaning was documented later', async () => {
  const user = await anAccount();
  await anAssistant(user, { endpoint_sensitivity: 2 });
  const { output } = await runBuilt('main.js', ['doctor', '--json']);
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string; what: string }[] };
  const { state, what } = checks.find(({ name }) => name === 'database') ?? {};
  expect([state, what]).toEqual([
    'ok',
    expect.stringMatching(
      /; sensitivities stored today \(\d+ assistants?\) keep their number and get the documented/,
    ),
  ]);
});

it('doctor sends requests to the models that the operator has added, also where the database is private', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  const local = new OpenAiServer();
  try {
    const away = { base_url: 'http://127.0.0.1:1/v1', api_key: 'key' };
    const here = { base_url: await local.start(), api_key: 'key' };
    const settings = {
      DATABASE_URL: '',
      DATA_DIR: directory,
      LLM_BASE_URL: away.base_url,
      LLM_API_KEY: away.api_key,
      LLM_ENDPOINTS: JSON.stringify({ local: here, away }),
    };
    await runBuilt('main.js', ['migrate'], settings);
    for (const endpoint of ['local', 'away'])
      await runBuilt('main.js', ['models', 'add', `our-${endpoint}`, '--endpoint', endpoint], settings);
    local.willRespond(['ready']);
    local.willRespond([{ call: 'look_up_time' }]);
    const { output } = await runBuilt('main.js', ['doctor', '--json'], settings);
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string; what: string }[] };
    const found = (name: string) => checks.find((check) => check.name === `model endpoint ${name}`);
    expect(found('local')?.what).toMatch(/^our-local: first token after \d+ ms/);
    expect(found('away')).toMatchObject({
      state: 'fail',
      what: 'our-away: The language model did not answer',
    });
  } finally {
    await local.stop();
    rmSync(directory, { recursive: true });
  }
});
