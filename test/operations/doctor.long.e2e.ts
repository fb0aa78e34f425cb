import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { runBuilt } from '../support/command.js';

it('doctor says how many assistants have a sensitivity whose meaning was documented later', async () => {
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
