import { Command } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addModels, addProviders, addVoices } from './commands/catalogue.js';
import { addCampaigns } from './commands/campaigns.js';
import { addImports } from './commands/imports.js';
import { addDoctor, addEvents, addMigrate } from './commands/maintenance.js';
import { addNumbers } from './commands/numbers.js';
import { addPlans, addPrices } from './commands/plans-and-prices.js';
import { addTokens } from './commands/tokens.js';

const ABOUT =
  'Administrates the service. Every command works with and without a running service; ' +
  'settings come from the environment, as for the service.';

const EXIT_CODES = `
Exit codes: 0 success, 1 failure, 2 usage error.
Without --silent npm prints two lines before the output: npm run --silent cli -- accounts list --json`;

/** This file and the commands import no framework, so that `--help` is fast; each command loads what it needs. */
export function buildProgram(): Command {
  // Set before the commands are added: subcommands inherit these options.
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
    addModels,
    addVoices,
    addProviders,
    addCampaigns,
    addImports,
    addEvents,
    addMigrate,
    addDoctor,
  ])
    add(program);
  return program;
}
