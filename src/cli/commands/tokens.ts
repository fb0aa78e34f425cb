import type { Command } from 'commander';
import type { AccessToken } from '#src/auth/entities/access-token.entity.js';
import { leaf, printing, date, wholeNumber } from '../option-values.js';
import { dateTime, table, type Report } from '../output.js';

interface NewTokenOptions {
  email: string;
  name: string;
  expires?: Date;
}

export function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('access tokens of accounts');
  leaf(tokens, 'create', {
    does: 'create a token and print it; it is not shown again',
    examples: [
      'tokens create --email ada@example.com',
      'tokens create --email ada@example.com --name crm --expires 2027-01-31',
    ],
  })
    .requiredOption('--email <address>', 'the account')
    .option('--name <name>', 'label of the token', 'cli')
    .option('--expires <date>', 'end of validity (UTC); default: never', date)
    .action(printing(createToken));
  leaf(tokens, 'list', {
    does: 'list the tokens of an account',
    examples: ['tokens list --email ada@example.com'],
  })
    .requiredOption('--email <address>', 'the account')
    .action(printing(listTokens));
  leaf(tokens, 'revoke', {
    does: 'revoke a token at once',
    examples: ['tokens revoke --email ada@example.com --id 7'],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--id <id>', 'see tokens list', wholeNumber)
    .action(printing(revokeToken));
}

async function createToken({ email, name, expires }: NewTokenOptions): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  return asOperator(async ({ accounts, tokens }) => {
    const { id } = await accounts.findAccount(email);
    const token = await tokens.createToken(id, name, expires ?? null);
    return { data: { email, name, token, expires_at: expires ? dateTime(expires) : null }, text: token };
  });
}

async function listTokens({ email }: { email: string }): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  return asOperator(async ({ accounts, tokens }) => {
    const found = await tokens.listTokens((await accounts.findAccount(email)).id);
    const rows = found.map((token) => [
      token.id,
      token.name,
      stateOf(token),
      dateTime(token.createdAt),
      dateTime(token.expiresAt),
    ]);
    return { data: found.map(toData), text: table(['id', 'name', 'state', 'created', 'expires'], rows) };
  });
}

async function revokeToken({ email, id }: { email: string; id: number }): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  return asOperator(async ({ accounts, tokens }) => {
    const revoked = await tokens.revokeToken((await accounts.findAccount(email)).id, id);
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
  created_at: dateTime(token.createdAt),
  expires_at: token.expiresAt && dateTime(token.expiresAt),
  revoked_at: token.revokedAt && dateTime(token.revokedAt),
});
