import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { freePort } from '#src/embedded/free-port.js';
import { baseUrl } from '../support/client.js';
import { environment } from '../support/command.js';
import { difference, runSteps, stepsOf } from './guide-page.js';

const FOLDER = 'docs/use';
const pages = ['README.md', ...readdirSync(FOLDER).map((name) => join(FOLDER, name))]
  .map((name) => ({ name, steps: stepsOf(readFileSync(name, 'utf8')) }))
  .filter(({ steps }) => steps.length > 0);

/** What the quickstart sets up, with which the other guides begin; commands of the CLI run in the suite's process. */
const prelude = (account: TestAccount): string => `
API=${baseUrl()}/api
TOKEN=${account.token}
api() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$API/$1" "\${@:2}"; }
npm() {
  while [ "$1" != -- ]; do shift; done
  shift
  printf '%s\\n' "$@" | jq -R . | jq -s '{args: ., settings: env}' |
    curl -sS "$E2E_COMMANDS_URL" --data-binary @- | jq -r '.output + .problem | rtrimstr("\\n")'
}
`;

describe.each(pages)('the commands of $name', ({ name, steps }) => {
  let folder: string;
  let outputs: string[];
  let problem: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guide-'));
    const account = await anAccount();
    // Ports of the pages' own servers, the address of the service and the account are those of this run.
    const ports = { 8098: await freePort(), 8099: await freePort() };
    const here = steps.map((step) => ({
      ...step,
      commands: step.commands
        .replaceAll('http://127.0.0.1:3000', baseUrl())
        .replaceAll('demo@example.com', account.email)
        .replaceAll('ada@example.com', `ada-${account.email}`)
        .replaceAll(/\b(8098|8099)\b/g, (port) => String(ports[port as unknown as 8098])),
      expected: step.expected && {
        ...step.expected,
        text: step.expected.text
          .replaceAll('demo@example.com', account.email)
          .replaceAll('ada@example.com', `ada-${account.email}`),
      },
    }));
    const ran = await runSteps(here, {
      cwd: folder,
      env: { ...environment(), E2E_COMMANDS_URL: process.env.E2E_COMMANDS_URL },
      prelude: prelude(account),
    });
    ({ outputs, problem } = ran);
    steps = here;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(steps.map(({ line }, index) => [line, index] as const))('work, at line %i', (line, index) => {
    const step = steps[index] ?? null;
    const found = difference(step?.expected ?? null, outputs[index] ?? '');
    if (found !== null) throw new Error(`${name}:${line} ${found}\n${problem}`);
  });
});

it('are in all guides', () => {
  expect(pages.length).toBeGreaterThanOrEqual(10);
});
