import type { Command } from 'commander';
import { addCommand, createReportAction } from '../option-values.js';
import { formatQuantity, formatTable, type Report } from '../output.js';

export function addMigrateCommand(program: Command): void {
  addCommand(program, 'migrate', {
    does: 'apply pending migrations and update the catalogue, as every start of the service does',
    examples: ['migrate', 'migrate --undo'],
  })
    .option('--undo', 'undo the newest migration instead; deletes the data of its tables')
    .action(createReportAction(runMigrations));
}

async function runMigrations({ undo }: { undo?: boolean }): Promise<Report> {
  const [{ loadSettings }, { withDatabase, withDatabaseClient }, { migrate, undoLastMigration }] =
    await Promise.all([
      import('#src/config/settings.js'),
      import('../operator/database.js'),
      import('#src/database/migrate.js'),
    ]);
  const settings = loadSettings();
  return withDatabase(settings, async ({ url }) => {
    await withDatabaseClient(url, async () => undefined);
    if (undo) {
      await undoLastMigration(url);
      return { data: { undone: 1 }, text: 'The newest migration is undone.' };
    }
    const { applied } = await migrate(url, settings.catalogueFile);
    const done =
      applied.length > 0
        ? `${formatQuantity(applied.length, 'migration')} applied:`
        : 'Everything is up to date.';
    return { data: { applied }, text: [done, ...applied.map((name) => `  ${name}`)].join('\n') };
  });
}

export function addEventCommands(program: Command): void {
  const events = program.command('events').description('domain events whose listeners failed');
  addCommand(events, 'dead', {
    does: 'list events that failed twelve times, with the reason',
    examples: ['events dead'],
  }).action(createReportAction(listDead));
  addCommand(events, 'replay', { does: 'deliver all of them again', examples: ['events replay'] }).action(
    createReportAction(replayDead),
  );
}

async function listDead(): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const dead = await runAsOperator(({ events }) => events.listDeadLetters());
  const text = formatTable(
    ['id', 'event', 'payload', 'since', 'reason'],
    dead.map(({ id, kind, payload, createdAt, lastError }) => [
      id,
      kind,
      JSON.stringify(payload),
      createdAt.toISOString(),
      lastError ?? '',
    ]),
  );
  return { data: dead, text };
}

async function replayDead(): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const replayed = await runAsOperator(({ events }) => events.replayDeadLetters());
  return { data: { replayed }, text: `${formatQuantity(replayed, 'event')} queued for delivery.` };
}

export function addDoctorCommand(program: Command): void {
  addCommand(program, 'doctor', {
    does: 'check settings, disk, port, database, Redis, carrier, model and public URL',
    examples: ['doctor', 'doctor --json'],
  }).action(createReportAction(checkAll));
}

async function checkAll(): Promise<Report> {
  const { runDoctor } = await import('../doctor/run-doctor.js');
  const findings = await runDoctor(process.env);
  const lines = findings.map(
    ({ state, name, what, todo }) => `${state.padEnd(4)} ${name}: ${what}${todo ? ` — ${todo}` : ''}`,
  );
  const failed = findings.some(({ state }) => state === 'fail');
  return { data: { healthy: !failed, checks: findings }, text: lines.join('\n'), failed };
}
