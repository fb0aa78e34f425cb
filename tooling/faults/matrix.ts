/**
 * npm run faults -- matrix [--broken variant]: runs the matrix (`test/http/matrix-*.e2e.ts`) against a separate
 * service, in which it must pass. With a planted defect a test that guards against it must fail.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { textOption } from './support/run-options.js';

/** Variants of `--broken`: the module in `faults/broken`, and the test that fails because of it. */
export const BROKEN: Record<string, { module: string; problem: RegExp }> = {
  unlimited: {
    module: 'allow-long-names',
    problem: /^the limits of the document .*: refuses .*name too long/s,
  },
  open: { module: 'open-route', problem: /^returns 401 on every route .*languages/s },
  foreign: { module: 'show-foreign', problem: /^GET \/user\/leads\/\{id\}: gives the same answer .* 200/s },
  status: { module: 'respond-400', problem: /^GET \/user\/calls\/\{id\}: gives the same answer .* 400/s },
  framework: {
    module: 'respond-as-framework',
    problem: /^GET \/user\/sms\/\{id\}: gives the same answer .*Cannot GET/s,
  },
};

/** Two cores are enough: the service is one process. */
const WORKERS = 2;
// Otherwise the messages contain colours.
const PLAIN = { FORCE_COLOR: '0', NO_COLOR: '1' };

interface Results {
  numTotalTests: number;
  testResults: {
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

export async function run(args: string[]): Promise<void> {
  const variant = textOption(args, '--broken');
  const planted = variant === null ? null : BROKEN[variant];
  if (planted === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  const installation = await Installation.start({
    broken: planted?.module ?? null,
    // All tests have one address.
    env: { PUBLIC_RATE_LIMIT_PER_MINUTE: '100000' },
  });
  try {
    const problems = await failedTests(join(installation.dataDir, 'matrix.json'));
    conclude(problems, { broken: planted !== null, planted: planted?.problem ?? /./ });
  } finally {
    await installation.stop();
  }
}

/**
 * Runs the matrix against the installation, described by environment variables. @returns the title and error of each
 * failed test
 */
async function failedTests(file: string): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [
      'scripts/test.mjs',
      `--maxWorkers=${WORKERS}`,
      '--json',
      `--outputFile=${file}`,
      '/matrix-[a-z]+\\.e2e\\.ts$',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...PLAIN } },
  );
  await once(child, 'exit');
  const { numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  if (numTotalTests === 0) throw new Error('no test ran');
  return testResults.flatMap(({ message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    // An unreadable file has no tests.
    if (assertionResults.length === 0) return [message];
    return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`);
  });
}
