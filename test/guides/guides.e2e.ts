import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { freePort } from '#src/embedded/free-port.js';
import { baseUrl } from '../support/client.js';
import { difference, runSteps, stepsOf } from './guide-page.js';

const FOLDER = 'docs/use';
const pages = ['README.md', ...readdirSync(FOLDER).map((name) => join(FOLDER, name))]
  .map((name) => ({ name, steps: stepsOf(readFileSync(name, 'utf8')) }))
  .filter(({ steps }) => steps.length > 0);

/** What the quickstart sets up, with which the other guides begin; and npm without its own start. */
const prelude = (account: TestAccount, cli: string): string => `
API=${baseUrl()}/api
TOKEN=${account.token}
api() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$API/$1" "\${@:2}"; }
npm() { while [ "$1" != -- ]; do shift; done; shift; '${process.execPath}' '${cli}' "$@"; }
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
        text: step.expected.text.replaceAll('demo@example.com', account.email),
      },
    }));
    const { PATH, HOME, E2E_DATABASE_URL, E2E_DATA_DIR } = process.env;
    const database = E2E_DATABASE_URL ? { DATABASE_URL: E2E_DATABASE_URL } : { DATA_DIR: E2E_DATA_DIR };
    const ran = await runSteps(here, {
      cwd: folder,
      env: { PATH, HOME, PGCONNECT_TIMEOUT: '60', ...database },
      prelude: prelude(account, resolve('dist/src/cli/main.js')),
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
