import type { Command } from 'commander';
import { leaf, printing } from '../option-values.js';
import { counted, type Report } from '../output.js';

export function addMigrate(program: Command): void {
  leaf(program, 'migrate', {
    does: 'bring the tables and the catalogue up to date (every start of the service does so, too)',
    examples: ['migrate', 'migrate --undo'],
  })
    .option('--undo', 'take the newest migration back instead, with the data of its tables')
    .action(printing(runMigrations));
}

async function runMigrations({ undo }: { undo?: boolean }): Promise<Report> {
  const [{ loadSettings }, { withDatabase }, { onDatabase }, { migrate, undoLastMigration }] =
    await Promise.all([
      import('#src/config/settings.js'),
      import('../operator/database.js'),
      import('../operator/database.js'),
      import('#src/database/migrate.js'),
    ]);
  return withDatabase(loadSettings(), async ({ url }) => {
    await onDatabase(url, async () => undefined);
    if (undo) {
      await undoLastMigration(url);
      return { data: { undone: 1 }, text: 'The newest migration is undone.' };
    }
    const { applied } = await migrate(url);
    const done =
      applied.length > 0 ? `${counted(applied.length, 'migration')} applied:` : 'Everything is up to date.';
    return { data: { applied }, text: [done, ...applied.map((name) => `  ${name}`)].join('\n') };
  });
}
