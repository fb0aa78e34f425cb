import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Plan } from '#src/modules/accounts/entities/account.entities.js';
import type { PlanLimits } from '#src/modules/accounts/plans.service.js';
import type { SmsPrice } from '#src/modules/sms/sms-prices.service.js';
import { toAmount } from '#src/common/money/micros.js';
import { leaf, printing, micros, wholeNumber } from '../option-values.js';
import { counted, dateTime, money, table, type Report } from '../output.js';

interface PlanOptions {
  maxTools?: number;
  maxAssistants?: number;
  maxCampaigns?: number;
  maxLeadsPerCampaign?: number;
  maxParallelCalls?: number;
  pricePerMinute?: bigint;
}

export function addPlans(program: Command): void {
  const plans = program.command('plans').description('limits of accounts and the price of a minute');
  leaf(plans, 'list', { does: 'list all plans', examples: ['plans list'] }).action(printing(listPlans));
  leaf(plans, 'set <name>', {
    does: 'change a plan, or create one (requires all options without a default)',
    examples: [
      'plans set standard --price-per-minute 0.04',
      'plans set team --max-tools 200 --max-campaigns 500 --max-parallel-calls 50 --price-per-minute 0.03',
    ],
  })
    .option('--max-tools <count>', 'mid call tools of an account', wholeNumber)
    .option('--max-assistants <count>', 'assistants of an account; a new plan: 1000', wholeNumber)
    .option('--max-campaigns <count>', 'campaigns of an account', wholeNumber)
    .option('--max-leads-per-campaign <count>', 'main leads; a new plan: 1000000', wholeNumber)
    .option('--max-parallel-calls <count>', 'calls of an account at the same time', wholeNumber)
    .option('--price-per-minute <amount>', "added to the carrier's cost, per started minute", micros)
    .action(printing(setPlan));
}

async function listPlans(): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  const found = await asOperator(({ plans }) => plans.listPlans());
  return { data: found.map(toPlanData), text: planTable(found) };
}

async function setPlan(name: string, { pricePerMinute, ...counts }: PlanOptions): Promise<Report> {
  const { asOperator } = await import('../operator/operator.js');
  const { maxTools, maxAssistants, maxCampaigns, maxLeadsPerCampaign, maxParallelCalls } = counts;
  const limits: Partial<PlanLimits> = {
    maxTools,
    maxAssistants,
    maxCampaigns,
    maxLeadsPerCampaign,
    maxParallelCalls,
    pricePerMinuteMicros: pricePerMinute,
  };
  const plan = await asOperator(({ plans }) => plans.setPlanLimits(name, limits));
  return { data: toPlanData(plan), text: planTable([plan]) };
}

const planTable = (plans: Plan[]): string =>
  table(
    ['name', 'tools', 'assistants', 'campaigns', 'leads per campaign', 'parallel calls', 'price per minute'],
    plans.map((plan) => [
      plan.name,
      plan.maxTools,
      plan.maxAssistants,
      plan.maxCampaigns,
      plan.maxLeadsPerCampaign,
      plan.maxParallelCalls,
      money(plan.pricePerMinuteMicros),
    ]),
  );

const toPlanData = (plan: Plan) => ({
  name: plan.name,
  max_tools: plan.maxTools,
  max_assistants: plan.maxAssistants,
  max_campaigns: plan.maxCampaigns,
  max_leads_per_campaign: plan.maxLeadsPerCampaign,
  max_parallel_calls: plan.maxParallelCalls,
  price_per_minute: toAmount(plan.pricePerMinuteMicros),
});

export function addPrices(program: Command): void {
  const prices = program.command('prices').description('price of an SMS segment by country');
  leaf(prices, 'load <csv>', {
    does: 'load prices from a CSV with the columns country (* for all others) and price; other prices are kept',
    examples: ['prices load sms-prices.csv'],
  }).action(printing(loadPrices));
  leaf(prices, 'list', { does: 'list current prices', examples: ['prices list'] }).action(
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
  return { data: found.map(toPriceData), text: table(['country', 'price', 'since'], rows) };
}

const toPriceData = ({ country, priceMicros, validFrom }: SmsPrice) => ({
  country,
  price: toAmount(priceMicros),
  valid_from: dateTime(validFrom),
});
