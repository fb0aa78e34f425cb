import type { Command } from 'commander';
import { leaf, printing } from '../option-values.js';
import type { Report } from '../output.js';

export function addDoctor(program: Command): void {
  leaf(program, 'doctor', {
    does: 'look at settings, disk, port, database, Redis, carrier, model and public URL, and say what to do',
    examples: ['doctor', 'doctor --json'],
  }).action(printing(examine));
}

async function examine(): Promise<Report> {
  const { runDoctor } = await import('../doctor/run-doctor.js');
  const findings = await runDoctor(process.env);
  const lines = findings.map(
    ({ state, name, what, todo }) => `${state.padEnd(4)} ${name}: ${what}${todo ? ` — ${todo}` : ''}`,
  );
  const failed = findings.some(({ state }) => state === 'fail');
  return { data: { healthy: !failed, checks: findings }, text: lines.join('\n'), failed };
}
