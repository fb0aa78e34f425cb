import type { Command } from 'commander';
import { leaf, printing } from '../option-values.js';
import { table, type Report } from '../output.js';

export function addEvents(program: Command): void {
  const events = program.command('events').description('facts that could not be handed to their listeners');
  leaf(events, 'dead', {
    does: 'list events that kept failing, with the reason',
    examples: ['events dead'],
  }).action(printing(listDead));
  leaf(events, 'replay', { does: 'hand all of them over again', examples: ['events replay'] }).action(
    printing(replayDead),
  );
}

async function listDead(): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  const dead = await asOperator(({ events }) => events.listDeadLetters());
  const text = table(
    ['id', 'event', 'of', 'since', 'reason'],
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
  return { data: { replayed }, text: `${replayed} handed over again.` };
}
