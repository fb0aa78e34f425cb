import { Command } from 'commander';
import { addAccountCommands } from './commands/accounts.js';
import { addAuditCommands } from './commands/audit.js';
import { addBackupCommand, addRestoreCommands } from './commands/backup.js';
import { addModelCommands, addProviderCommands, addVoiceCommands } from './commands/catalogue.js';
import { addCampaignCommands } from './commands/campaigns.js';
import { addImportCommands } from './commands/imports.js';
import { addDoctorCommand, addEventCommands, addMigrateCommand } from './commands/maintenance.js';
import { addKeyCommands } from './commands/keys.js';
import { addNumberCommands } from './commands/numbers.js';
import { addPlanCommands, addPriceCommands } from './commands/plans-and-prices.js';
import { addTokenCommands } from './commands/tokens.js';

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
    addAccountCommands,
    addTokenCommands,
    addNumberCommands,
    addPlanCommands,
    addPriceCommands,
    addModelCommands,
    addVoiceCommands,
    addProviderCommands,
    addCampaignCommands,
    addImportCommands,
    addEventCommands,
    addKeyCommands,
    addAuditCommands,
    addMigrateCommand,
    addBackupCommand,
    addRestoreCommands,
    addDoctorCommand,
  ])
    add(program);
  return program;
}
