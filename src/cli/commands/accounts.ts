import type { Command } from 'commander';
import type { Account } from '#src/modules/accounts/entities/account.entities.js';
import { toAmount } from '#src/common/money/micros.js';
import {
  addCommand,
  createReportAction,
  parseAmount,
  parseCountries,
  parseCountry,
} from '../option-values.js';
import { formatQuantity, formatDateTime, formatMoney, formatTable, type Report } from '../output.js';

interface NewAccountOptions {
  name: string;
  email: string;
  plan: string;
  balance: string;
  country: string;
}

interface TopUpOptions {
  email: string;
  amount: string;
  reference: string;
}

export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('accounts, their balance and their plan');
  addCommand(accounts, 'create', {
    does: 'create an account',
    examples: [
      'accounts create --name "Ada Lovelace" --email ada@example.com',
      'accounts create --name "Ada Lovelace" --email ada@example.com --plan standard --balance 25.00 --country GB',
    ],
  })
    .requiredOption('--name <name>', 'name of the person or company')
    .requiredOption('--email <address>', 'identifies the account in all other commands')
    .option('--plan <name>', 'see plans list', 'standard')
    .option('--balance <amount>', 'opening balance', parseAmount, '0')
    .option('--country <code>', 'country of phone numbers in national format', parseCountry, 'US')
    .action(createReportAction(createAccount));
  addCommand(accounts, 'list', {
    does: 'list all accounts',
    examples: ['accounts list', 'accounts list --json'],
  }).action(createReportAction(listAccounts));
  addCommand(accounts, 'top-up', {
    does: 'add to a balance, once per reference',
    examples: ['accounts top-up --email ada@example.com --amount 25.00 --reference invoice-1042'],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--amount <amount>', 'more than 0', parseAmount)
    .requiredOption('--reference <text>', 'identifies the payment')
    .action(createReportAction(topUp));
  addCommand(accounts, 'set-plan', {
    does: 'change the plan of an account',
    examples: ['accounts set-plan --email ada@example.com --plan unlimited'],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--plan <name>', 'see plans list')
    .action(createReportAction(setPlan));
  addCommand(accounts, 'set-countries', {
    does: 'limit the countries an account may call and text; premium and satellite numbers are always refused',
    examples: [
      'accounts set-countries --email ada@example.com --countries US,CA,DE',
      'accounts set-countries --email ada@example.com --countries all',
    ],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption(
      '--countries <codes>',
      'two-letter codes with commas between them, or all',
      parseCountries,
    )
    .action(createReportAction(setCountries));
  addCommand(accounts, 'verify', {
    does: 'check that balances, holds and statistics are the sums of their parts and that every ledger entry has an origin',
    examples: ['accounts verify'],
  }).action(createReportAction(verify));
}

async function createAccount({ balance, ...account }: NewAccountOptions): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts }) => {
    const { id, email } = await accounts.createAccount(account);
    if (Number(balance) > 0) await accounts.topUp(email, balance, `opening-balance-${id}`);
    const created = await accounts.findAccount(email);
    const next = `Next: npm run cli -- tokens create --email ${email}`;
    return { data: toData(created), text: `${rows([created])}\n\n${next}` };
  });
}

async function listAccounts(): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const found = await runAsOperator(({ accounts }) => accounts.listAccounts());
  return { data: found.map(toData), text: rows(found) };
}

async function topUp({ email, amount: units, reference }: TopUpOptions): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const { posted, balanceMicros } = await runAsOperator(({ accounts }) =>
    accounts.topUp(email, units, reference),
  );
  const done = posted ? `Added ${units}.` : `The reference ${reference} exists: nothing changed.`;
  return {
    data: { email, posted, balance: toAmount(balanceMicros) },
    text: `${done} The balance is ${formatMoney(balanceMicros)}.`,
  };
}

async function setPlan({ email, plan }: { email: string; plan: string }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  await runAsOperator(({ accounts }) => accounts.setPlan(email, plan));
  return { data: { email, plan }, text: `${email} is on the plan ${plan}.` };
}

async function setCountries(options: { email: string; countries: string[] | 'all' }): Promise<Report> {
  const { email, countries: given } = options;
  const codes = given === 'all' ? null : given;
  const { runAsOperator } = await import('../operator/operator.js');
  await runAsOperator(({ accounts }) => accounts.setCountries(email, codes));
  return {
    data: { email, allowed_countries: codes },
    text: `${email} may call and write to ${codes === null ? 'all countries' : codes.join(', ')}.`,
  };
}

async function verify(): Promise<Report> {
  const { auditLedger } = await import('../operator/operator.js');
  const report = await auditLedger();
  const { accounts, entries, findings } = report;
  const checked = `${formatQuantity(accounts, 'account')}, ${entries} ledger entries: `;
  const result =
    findings.length === 0 ? 'every cent is accounted for.' : `${formatQuantity(findings.length, 'problem')}.`;
  const lines = findings.map(({ accountId, kinds, reference, problem }) =>
    [`account ${accountId}:`, kinds?.join('/'), reference, problem].filter(Boolean).join(' '),
  );
  return { data: report, text: [checked + result, ...lines].join('\n'), failed: findings.length > 0 };
}

const rows = (accounts: Account[]): string =>
  formatTable(
    ['id', 'name', 'email', 'plan', 'country', 'balance', 'created'],
    accounts.map(({ id, name, email, plan, country: land, balanceMicros, createdAt }) => [
      id,
      name,
      email,
      plan.name,
      land,
      formatMoney(balanceMicros),
      formatDateTime(createdAt),
    ]),
  );

const toData = (account: Account) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  plan: account.plan.name,
  country: account.country,
  allowed_countries: account.allowedCountries,
  balance: toAmount(account.balanceMicros),
  created_at: formatDateTime(account.createdAt),
});
