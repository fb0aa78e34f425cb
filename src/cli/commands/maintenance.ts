import type { Command } from 'commander';
import { addCommand, reportAction } from '../option-values.js';
import { quantityOf, formatTable, type Report } from '../output.js';

export function addMigrate(program: Command): void {
  addCommand(program, 'migrate', {
    does: 'apply pending migrations and update the catalogue, as every start of the service does',
    examples: ['migrate', 'migrate --undo'],
  })
    .option('--undo', 'undo the newest migration instead; deletes the data of its tables')
    .action(reportAction(runMigrations));
}

async function runMigrations({ undo }: { undo?: boolean }): Promise<Report> {
  const [{ loadSettings }, { withDatabase, onDatabase }, { migrate, undoLastMigration }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/database.js'),
    import('#src/database/migrate.js'),
  ]);
  const settings = loadSettings();
  return withDatabase(settings, async ({ url }) => {
    await onDatabase(url, async () => undefined);
    if (undo) {
      await undoLastMigration(url);
      return { data: { undone: 1 }, text: 'The newest migration is undone.' };
    }
    const { applied } = await migrate(url, settings.catalogueFile);
    const done =
      applied.length > 0
        ? `${quantityOf(applied.length, 'migration')} applied:`
        : 'Everything is up to date.';
    return { data: { applied }, text: [done, ...applied.map((name) => `  ${name}`)].join('\n') };
  });
}

export function addEvents(program: Command): void {
  const events = program.command('events').description('domain events whose listeners failed');
  addCommand(events, 'dead', {
    does: 'list events that failed twelve times, with the reason',
    examples: ['events dead'],
  }).action(reportAction(listDead));
  addCommand(events, 'replay', { does: 'deliver all of them again', examples: ['events replay'] }).action(
    reportAction(replayDead),
  );
}

async function listDead(): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  const dead = await asOperator(({ events }) => events.listDeadLetters());
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
  const { asOperator } = await import('../operator/operator.js');
  const replayed = await asOperator(({ events }) => events.replayDeadLetters());
  return { data: { replayed }, text: `${quantityOf(replayed, 'event')} queued for delivery.` };
}

export function addDoctor(program: Command): void {
  addCommand(program, 'doctor', {
    does: 'check settings, disk, port, database, Redis, carrier, model and public URL',
    examples: ['doctor', 'doctor --json'],
  }).action(reportAction(checkAll));
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
