import type { Command } from 'commander';
import { addCommand, createReportAction, parseDate } from '../option-values.js';
import { formatQuantity, formatTable, type Report } from '../output.js';

interface NewNumberOptions {
  email: string;
  phoneNumber: string;
  sms?: boolean;
  expires?: Date;
  nickname?: string;
}

export function addNumberCommands(program: Command): void {
  const numbers = program.command('numbers').description('phone numbers of accounts');
  addCommand(numbers, 'add', {
    does: 'assign a phone number to an account',
    examples: [
      'numbers add --email ada@example.com --phone-number +14155550123 --sms',
      'numbers add --email ada@example.com --phone-number +442071838750 --nickname London --expires 2027-01-31',
    ],
  })
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--phone-number <number>', 'in E.164')
    .option('--sms', 'the number can send SMS')
    .option('--expires <date>', 'end of the subscription (UTC); default: never', parseDate)
    .option('--nickname <name>', 'label of the number')
    .action(createReportAction(addNumber));
  addCommand(numbers, 'list', {
    does: 'list the numbers of an account',
    examples: ['numbers list --email ada@example.com'],
  })
    .requiredOption('--email <address>', 'the account')
    .action(createReportAction(listNumbers));
  addCommand(numbers, 'sync', {
    does: 'compare the numbers of accounts with those at the carrier and take over what it knows of them',
    examples: ['numbers sync'],
  }).action(createReportAction(syncNumbers));
  addCommand(numbers, 'connect', {
    does: 'send calls and messages of the numbers of accounts to PUBLIC_URL, at the carrier',
    examples: ['numbers connect', 'numbers connect --phone-number +14155550123'],
  })
    .option('--phone-number <number>', 'only this one, in E.164')
    .action(createReportAction(connectNumbers));
}

async function addNumber({ email, phoneNumber, sms, expires, nickname }: NewNumberOptions): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts, numbers }) => {
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
      text: `Number ${id}: ${e164}${smsCapable ? ', calls and SMS' : ', calls'}. "numbers connect --phone-number ${e164}" sends its calls to PUBLIC_URL.`,
    };
  });
}

async function listNumbers({ email }: { email: string }): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(async ({ accounts, numbers }) => {
    const found = await numbers.listPhoneNumbers((await accounts.findAccount(email)).id);
    const rows = found.map((number) => [
      number.id,
      number.phone_number,
      number.nickname ?? '',
      number.country_code,
      number.sms_capable ? 'yes' : 'no',
      number.has_active_subscription ? 'active' : 'expired',
    ]);
    return {
      data: found,
      text: formatTable(['id', 'number', 'nickname', 'country', 'sms', 'subscription'], rows),
    };
  });
}

async function syncNumbers(): Promise<Report> {
  await carrierSettings();
  const [{ runAsOperator }, { NUMBER_DIFFERENCES }] = await Promise.all([
    import('../operator/operator.js'),
    import('#src/modules/phone-numbers/carrier-numbers.service.js'),
  ]);
  const { listed, updated, differences } = await runAsOperator(({ carrierNumbers }) =>
    carrierNumbers.syncNumbers(),
  );
  const lines = differences.map(({ phoneNumber, difference, accountId }) => {
    const owner = accountId === null ? '' : ` (account ${accountId})`;
    return `${phoneNumber}${owner}: ${NUMBER_DIFFERENCES[difference]}`;
  });
  return {
    data: {
      listed,
      updated,
      differences: differences.map(({ phoneNumber, accountId, difference }) => ({
        phone_number: phoneNumber,
        account_id: accountId,
        difference,
      })),
    },
    text: [`${formatQuantity(listed, 'number')} at the carrier, ${updated} updated.`, ...lines].join('\n'),
    failed: differences.length > 0,
  };
}

async function connectNumbers({ phoneNumber }: { phoneNumber?: string }): Promise<Report> {
  const { carrier, http } = await carrierSettings();
  if (carrier.apiUrl === null && !http.publicUrl.startsWith('https:')) {
    throw new Error('Set PUBLIC_URL to the https address at which the carrier reaches the service.');
  }
  const { runAsOperator } = await import('../operator/operator.js');
  const connected = await runAsOperator(({ carrierNumbers }) =>
    carrierNumbers.connectNumbers(phoneNumber ?? null),
  );
  return {
    data: { connected },
    text: [
      `${formatQuantity(connected.length, 'number')} connected to ${http.publicUrl}.`,
      ...connected,
    ].join('\n'),
  };
}

async function carrierSettings() {
  const { loadSettings } = await import('#src/config/settings.js');
  const { carrier, http } = loadSettings();
  if (carrier === null) {
    throw new Error(
      'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN: the sandbox of a running service is not reached.',
    );
  }
  return { carrier, http };
}
