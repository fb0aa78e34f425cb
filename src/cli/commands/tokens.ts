import type { Command } from 'commander';
import type { AccessToken } from '#src/auth/entities/access-token.entity.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import {
  addCommand,
  createReportAction,
  parseAddresses,
  parseDate,
  parseScopes,
  parseWholeNumber,
} from '../option-values.js';
import { formatDateTime, formatTable, type Report } from '../output.js';

interface NewTokenOptions {
  email: string;
  name: string;
  scopes?: Scope[];
  expires?: Date;
  addresses?: string[];
}

export function addTokenCommands(program: Command): void {
  const tokens = program.command('tokens').description('API keys of accounts');
  addCommand(tokens, 'create', {
    does: 'create an API key and print its token, which is not shown again',
    examples: [
      'tokens create --email ada@example.com',
      'tokens create --email ada@example.com --name crm --scopes read,calls --expires 2027-01-31',
      'tokens create --email ada@example.com --name crm --addresses 203.0.113.0/24,2001:db8::1',
    ],
  })
    .requiredOption('--email <address>', 'the account')
    .option('--name <name>', 'label of the key', 'cli')
    .option(
      '--scopes <scopes>',
      'what it may do, with commas: read, calls, messages, write, admin; default: all',
      parseScopes,
    )
    .option('--expires <date>', 'end of validity (UTC); default: never', parseDate)
    .option(
      '--addresses <ranges>',
      'IP addresses and CIDR ranges that may use it, with commas, up to 20; default: all',
      parseAddresses,
    )
    .action(createReportAction(createToken));
  addCommand(tokens, 'list', {
    does: 'list the API keys of an account, also those that were revoked',
    examples: ['tokens list --email ada@example.com'],
  })
    .requiredOption('--email <address>', 'the account')
    .action(createReportAction(listTokens));
  addCommand(tokens, 'revoke', {
    does: 'revoke an API key at once',
    examples: ['tokens revoke --email ada@example.com --id 7'],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--id <id>', 'see tokens list', parseWholeNumber)
    .action(createReportAction(revokeToken));
}

async function createToken(options: NewTokenOptions): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts, tokens, audit }) => {
    const { email, name, scopes: granted = [...SCOPES], expires: expiresAt = null } = options;
    const { addresses: allowedAddresses = [] } = options;
    const { id: accountId } = await accounts.findAccount(email);
    const { token } = await audit.change(async (tx, record) => {
      const created = await tokens.createToken(
        accountId,
        name,
        { scopes: granted, expiresAt, allowedAddresses },
        tx,
      );
      const details = {
        name,
        scopes: granted,
        ...(allowedAddresses.length > 0 && { allowed_addresses: allowedAddresses }),
      };
      record({ accountId, action: 'api-key.create', resourceId: created.id, details });
      return created;
    });
    const expires_at = expiresAt ? formatDateTime(expiresAt) : null;
    return {
      data: { email, name, token, scopes: granted, expires_at, allowed_addresses: allowedAddresses },
      text: token,
    };
  });
}

async function listTokens({ email }: { email: string }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts, tokens }) => {
    const found = await tokens.listTokens((await accounts.findAccount(email)).id);
    const rows = found.map((token) => [
      token.id,
      token.name,
      stateOf(token),
      token.scopes.join(','),
      token.allowedAddresses.join(','),
      formatDateTime(token.createdAt),
      formatDateTime(token.lastUsedAt),
      formatDateTime(token.expiresAt),
    ]);
    const headings = ['id', 'name', 'state', 'scopes', 'from', 'created', 'last used', 'expires'];
    return { data: found.map(toData), text: formatTable(headings, rows) };
  });
}

async function revokeToken({ email, id }: { email: string; id: number }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts, tokens, audit }) => {
    const { id: accountId } = await accounts.findAccount(email);
    const revoked = await audit.change(async (tx, record) => {
      const isRevoked = await tokens.revokeToken(tx, accountId, id);
      if (isRevoked) record({ accountId, action: 'api-key.delete', resourceId: id });
      return isRevoked;
    });
    const text = revoked ? `Token ${id} is revoked.` : `${email} has no live token ${id}.`;
    return { data: { email, id, revoked }, text, failed: !revoked };
  });
}

function stateOf({ revokedAt, expiresAt }: AccessToken): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= new Date() ? 'expired' : 'live';
}

const toData = (token: AccessToken) => ({
  id: token.id,
  name: token.name,
  state: stateOf(token),
  scopes: token.scopes,
  allowed_addresses: token.allowedAddresses,
  last_used_at: token.lastUsedAt && formatDateTime(token.lastUsedAt),
  created_at: formatDateTime(token.createdAt),
  expires_at: token.expiresAt && formatDateTime(token.expiresAt),
  revoked_at: token.revokedAt && formatDateTime(token.revokedAt),
});
