/**
 * npm run faults -- clients [--requests N] [--seed N] [--broken variant]: behaves like existing clients of the API:
 * forms with every field, lists for objects, names of responses in requests, names in any case, national and
 * impossible numbers, whole resources written back. The result of each request must equal the result of its
 * documented form, and each response must match the OpenAPI document.
 */
import { anAccountWithResources } from '../../test/factories/account-resources.js';
import { HabitualClient } from './clients/client.js';
import { clientProblem } from './clients/verify-clients.js';
import { FuzzFindings } from './fuzz/fuzz-findings.js';
import { endpoints } from './support/api-surface.js';
import { conclude } from './support/conclude.js';
import { Installation, type Patch } from './support/installation.js';
import { seeded, seedOf } from './support/random.js';
import { numberOption, say, textOption } from './support/run-options.js';

const REQUESTS = 10_000;
/** Enough to hit a planted defect several times. */
const BROKEN_REQUESTS = 1_500;
const CONCURRENCY = 6;
/** Requests before a new account replaces the current one and its resources. */
const REQUESTS_PER_ACCOUNT = 400;

/** Variants of `--broken`: the patch, and the problem that it causes. */
export const BROKEN: Record<string, { patch: Patch; problem: RegExp }> = {
  case: { patch: 'exact-names', problem: /^POST \/user\/assistant: 422 instead of 201/ },
  rewrites: { patch: 'rewriting-tools', problem: /^PUT \/user\/tools as GET gave it: timeout differs/ },
};

export async function run(args: string[]): Promise<void> {
  const variant = textOption(args, '--broken');
  const planted = variant === null ? null : BROKEN[variant];
  if (planted === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  const seed = seedOf(args);
  const requests = numberOption(args, '--requests', planted ? BROKEN_REQUESTS : REQUESTS);
  const installation = await Installation.start({ patches: planted ? [planted.patch] : [] });
  const findings = new FuzzFindings();
  let sent = 0;
  try {
    const routes = await endpoints();
    const habits = async (worker: number): Promise<void> => {
      const random = seeded(seed + worker);
      while (sent < requests) {
        const client = new HabitualClient(await anAccountWithResources(), random, (observation, request) => {
          const problem = clientProblem(observation);
          if (problem !== null) findings.note(problem, () => request);
        });
        while (client.requests < REQUESTS_PER_ACCOUNT && sent < requests) {
          const before = client.requests;
          // A response that does not match the document.
          await client
            .act(routes)
            .catch((error: unknown) => findings.note(firstLine(error), () => String(error)));
          sent += client.requests - before;
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, worker) => habits(worker)));
    say(`${sent} requests`);
    findings.print(installation.output());
    conclude(findings.problems(), { broken: planted !== null, planted: planted?.problem ?? /./ });
  } finally {
    await installation.stop();
  }
}

const firstLine = (error: unknown): string => String(error).split('\n')[0]?.slice(0, 200) ?? '';
