import type { Command } from 'commander';
import type { AuditService } from '#src/modules/audit/audit.service.js';
import { INSTALLATION } from '#src/modules/audit/audit.types.js';
import { addCommand, createReportAction } from '../option-values.js';
import { formatQuantity, type Report } from '../output.js';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('keys that encrypt secrets in the database');
  addCommand(keys, 'rotate', {
    does: 'give every account a new data key, and encrypt secrets with the first key of ENCRYPTION_KEYS only',
    examples: ['keys rotate'],
  }).action(createReportAction(rotateKeys));
  addCommand(keys, 'decrypt', {
    does: 'store secrets unencrypted, before a return to an earlier version; the service must be stopped',
    examples: ['keys decrypt'],
  }).action(createReportAction(decryptSecrets));
}

async function rotateKeys(): Promise<Report> {
  const { runWithKeys } = await import('../operator/operator.js');
  const { replaced, changed, unreadable } = await runWithKeys(async ({ rotation, audit }) => {
    await recordBefore(audit, 'encryption.rotate');
    return rotation.rotate();
  });
  const done = `${formatQuantity(replaced, 'data key')} replaced, ${formatQuantity(changed, 'secret')} encrypted anew.`;
  return reportOf({ replaced, changed, unreadable }, done);
}

async function decryptSecrets(): Promise<Report> {
  const { runWithKeys } = await import('../operator/operator.js');
  const { changed, unreadable } = await runWithKeys(async ({ columns, audit }) => {
    if (await audit.hasLog()) await recordBefore(audit, 'encryption.decrypt');
    return columns.decryptAll();
  });
  return reportOf({ changed, unreadable }, `${formatQuantity(changed, 'secret')} decrypted.`);
}

/** An entry of its own before the first of many transactions: the work may be interrupted. */
const recordBefore = (
  audit: AuditService,
  action: 'encryption.rotate' | 'encryption.decrypt',
): Promise<void> => audit.change(async (_tx, record) => record({ accountId: INSTALLATION, action }));

function reportOf<T extends { unreadable: string[] }>(data: T, done: string): Report {
  const problems = data.unreadable.map((place) => `cannot be decrypted: ${place}`);
  return { data, text: [done, ...problems].join('\n'), failed: problems.length > 0 };
}
