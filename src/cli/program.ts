import { Command } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addDoctor } from './commands/doctor.js';
import { addMigrate } from './commands/migrate.js';
import { addNumbers } from './commands/numbers.js';
import { addEvents } from './commands/events.js';
import { addPlans } from './commands/plans.js';
import { addPrices } from './commands/prices.js';
import { addTokens } from './commands/tokens.js';

const ABOUT =
  'What operators do with the service. Every command works beside a running service and without one; ' +
  'settings come from the environment, as they do for the service.';

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 used wrongly.
npm prints two lines of its own unless it is told not to: npm run --silent cli -- accounts list --json`;

/** Only what the chosen command needs is loaded: this file and its commands import no framework. */
export function buildProgram(): Command {
  // Before the commands: they take this over.
  const program = new Command('npm run cli --')
    .description(ABOUT)
    .exitOverride()
    .showHelpAfterError('Add --help for options and examples.');
  program.addHelpText('after', EXIT_CODES);
  for (const add of [
    addAccounts,
    addTokens,
    addNumbers,
    addPlans,
    addPrices,
    addEvents,
    addMigrate,
    addDoctor,
  ])
    add(program);
  return program;
}
