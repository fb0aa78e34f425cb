import type { Command } from 'commander';
import { INSTALLATION } from '#src/modules/audit/audit.types.js';
import { addCommand, createReportAction, parseHash, parseWholeNumber } from '../option-values.js';
import { formatQuantity, formatTable, type Report } from '../output.js';

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('the log of who did what');
  addCommand(audit, 'verify', {
    does: 'compute the hashes of all entries anew; exit code 1 when an entry was changed, moved, added or removed',
    examples: ['audit verify', 'audit verify --email ada@example.com --since HASH'],
  })
    .option(
      '--since <hash>',
      'the end of a log that an earlier check printed, which must still be in it; may be given several times',
      collectHashes,
      [],
    )
    .option('--email <address>', 'the log of this account only')
    .action(createReportAction(verify));
  addCommand(audit, 'list', {
    does: 'show what was changed for the whole installation by commands, or the log of an account, newest first',
    examples: ['audit list', 'audit list --email ada@example.com --limit 20'],
  })
    .option('--email <address>', 'the log of this account')
    .option('--limit <count>', 'entries, up to 100; default: 50', parseWholeNumber)
    .action(createReportAction(list));
}

const collectHashes = (text: string, before: string[]): string[] => [...before, parseHash(text)];

async function verify({ since, email }: { since: string[]; email?: string }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const { entries, heads, problems } = await runAsOperator(async ({ accounts, auditLog }) => {
    const accountId = email === undefined ? null : (await accounts.findAccount(email)).id;
    return auditLog.verify({ accountId, anchors: since });
  });
  const lines = problems.map(({ accountId, seq, problem }) =>
    [placeOf(accountId), seq === null ? '' : `entry ${seq}:`, problem].filter(Boolean).join(' '),
  );
  const result =
    problems.length === 0
      ? 'nothing was changed or removed.'
      : `${formatQuantity(problems.length, 'problem')}.`;
  const ends = formatTable(
    ['account', 'entries', 'hash of the last one'],
    heads.map(({ accountId, seq, hash }) => [accountId, seq, hash]),
  );
  return {
    data: {
      entries,
      heads: heads.map(({ accountId, seq, hash }) => ({ account_id: accountId, entries: seq, hash })),
      problems: problems.map(({ accountId, seq, problem }) => ({
        account_id: accountId,
        entry: seq,
        problem,
      })),
    },
    text: [`${entries} entries: ${result}`, ...lines, ends].join('\n'),
    failed: problems.length > 0,
  };
}

const MOST_LISTED = 100;

async function list({ email, limit = 50 }: { email?: string; limit?: number }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const entries = await runAsOperator(async ({ accounts, auditEntries }) => {
    const accountId = email === undefined ? INSTALLATION : (await accounts.findAccount(email)).id;
    const query = { page: 1, per_page: Math.min(limit, MOST_LISTED) };
    return (await auditEntries.pageOfEntries(accountId, query)).items;
  });
  const rows = entries.map(({ id, created_at, actor, action, resource, fields, details }) => [
    id,
    created_at,
    [actor.type, actor.name].filter(Boolean).join(' '),
    action,
    resource.id ?? '',
    fields.join(' '),
    Object.keys(details).length > 0 ? JSON.stringify(details) : '',
  ]);
  const headings = ['entry', 'when', 'who', 'what', 'of', 'fields', 'details'];
  return { data: entries, text: formatTable(headings, rows) };
}

function placeOf(accountId: number | null): string {
  if (accountId === null) return '';
  return accountId === INSTALLATION ? 'installation,' : `account ${accountId},`;
}
