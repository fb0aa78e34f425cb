import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import type { SmsPrice } from '#src/modules/sms/sms-prices.service.js';
import { toAmount } from '#src/common/money/micros.js';
import { leaf, printing } from '../option-values.js';
import { counted, dateTime, money, table, type Report } from '../output.js';

export function addPrices(program: Command): void {
  const prices = program.command('prices').description('what an SMS segment costs, by country');
  leaf(prices, 'load <csv>', {
    does: 'load prices from a file with the columns country (* for all others) and price; the rest stays',
    examples: ['prices load sms-prices.csv'],
  }).action(printing(loadPrices));
  leaf(prices, 'list', { does: 'list the prices of now', examples: ['prices list'] }).action(
    printing(listPrices),
  );
}

async function loadPrices(path: string): Promise<Report> {
  await access(path, constants.R_OK).catch(() => {
    throw new Error(`${path} cannot be read.`);
  });
  const { asOperator } = await import('../operator/operator.js');
  const { lines, changed } = await asOperator(({ prices }) => prices.load(createReadStream(path)));
  return { data: { lines, changed }, text: `${counted(lines, 'price')} read, ${changed} changed.` };
}

async function listPrices(): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  const found = await asOperator(({ prices }) => prices.list());
  const rows = found.map(({ country, priceMicros, validFrom }) => [
    country ?? '*',
    money(priceMicros),
    dateTime(validFrom),
  ]);
  return { data: found.map(toData), text: table(['country', 'price', 'since'], rows) };
}

const toData = ({ country, priceMicros, validFrom }: SmsPrice) => ({
  country,
  price: toAmount(priceMicros),
  valid_from: dateTime(validFrom),
});
