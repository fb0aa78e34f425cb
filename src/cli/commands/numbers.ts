import type { Command } from 'commander';
import { leaf, printing, date } from '../option-values.js';
import { table, type Report } from '../output.js';

interface NewNumberOptions {
  email: string;
  phoneNumber: string;
  sms?: boolean;
  expires?: Date;
  nickname?: string;
}

export function addNumbers(program: Command): void {
  const numbers = program.command('numbers').description('phone numbers of accounts');
  leaf(numbers, 'add', {
    does: 'assign a phone number to an account',
    examples: [
      'numbers add --email ada@example.com --phone-number +14155550123 --sms',
      'numbers add --email ada@example.com --phone-number +442071838750 --nickname London --expires 2027-01-31',
    ],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--phone-number <number>', 'in E.164')
    .option('--sms', 'the number can send SMS')
    .option('--expires <date>', 'end of the subscription (UTC); default: never', date)
    .option('--nickname <name>', 'label of the number')
    .action(printing(addNumber));
  leaf(numbers, 'list', {
    does: 'list the numbers of an account',
    examples: ['numbers list --email ada@example.com'],
  })
    .requiredOption('--email <address>', 'the account')
    .action(printing(listNumbers));
}

async function addNumber({ email, phoneNumber, sms, expires, nickname }: NewNumberOptions): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  return asOperator(async ({ accounts, numbers }) => {
    const { id: accountId } = await accounts.findAccount(email);
    const added = await numbers.addPhoneNumber({
      accountId,
      phoneNumber,
      smsCapable: sms ?? false,
      expiresAt: expires ?? null,
      nickname: nickname ?? null,
    });
    const { id, phoneNumber: e164, smsCapable } = added;
    return {
      data: { id, email, phone_number: e164, sms_capable: smsCapable },
      text: `Number ${id}: ${e164}${smsCapable ? ', calls and SMS' : ', calls'}. Set its voice webhook at the carrier to PUBLIC_URL/telephony/incoming#rc=5&rp=all, and its fallback to PUBLIC_URL/telephony/incoming.`,
    };
  });
}

async function listNumbers({ email }: { email: string }): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  return asOperator(async ({ accounts, numbers }) => {
    const found = await numbers.listPhoneNumbers((await accounts.findAccount(email)).id);
    const rows = found.map((number) => [
      number.id,
      number.phone_number,
      number.nickname ?? '',
      number.country_code,
      number.sms_capable ? 'yes' : 'no',
      number.has_active_subscription ? 'active' : 'expired',
    ]);
    return { data: found, text: table(['id', 'number', 'nickname', 'country', 'sms', 'subscription'], rows) };
  });
}
