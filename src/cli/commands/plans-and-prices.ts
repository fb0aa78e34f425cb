import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Plan } from '#src/modules/accounts/entities/account.entities.js';
import type { PlanLimits } from '#src/modules/accounts/plans.service.js';
import type { CountryPrice, CountryPrices } from '#src/modules/accounts/country-prices.js';
import { toAmount } from '#src/common/money/micros.js';
import { addCommand, createReportAction, parseMicros, parseWholeNumber } from '../option-values.js';
import { formatQuantity, formatDateTime, formatMoney, formatTable, type Report } from '../output.js';

interface PlanOptions {
  maxTools?: number;
  maxAssistants?: number;
  maxCampaigns?: number;
  maxLeadsPerCampaign?: number;
  maxParallelCalls?: number;
  maxTestConversationsPerDay?: number;
  maxKnowledgeBases?: number;
  maxDocuments?: number;
  maxDocumentMegabytes?: number;
  maxWebsitePages?: number;
  pricePerMinute?: bigint;
  pricePerMessage?: bigint;
}

export function addPlanCommands(program: Command): void {
  const plans = program
    .command('plans')
    .description('limits of accounts and the prices of a minute and a message');
  addCommand(plans, 'list', { does: 'list all plans', examples: ['plans list'] }).action(
    createReportAction(listPlans),
  );
  addCommand(plans, 'set <name>', {
    does: 'change a plan, or create one (requires all options without a default)',
    examples: [
      'plans set standard --price-per-minute 0.04',
      'plans set team --max-tools 200 --max-campaigns 500 --max-parallel-calls 50 --price-per-minute 0.03',
    ],
  })
    .option('--max-tools <count>', 'mid call tools of an account', parseWholeNumber)
    .option('--max-assistants <count>', 'assistants of an account; a new plan: 1000', parseWholeNumber)
    .option('--max-campaigns <count>', 'campaigns of an account', parseWholeNumber)
    .option('--max-leads-per-campaign <count>', 'main leads; a new plan: 1000000', parseWholeNumber)
    .option('--max-parallel-calls <count>', 'calls of an account at the same time', parseWholeNumber)
    .option(
      '--max-test-conversations-per-day <count>',
      'free text conversations of an account in 24 hours; a new plan: 100',
      parseWholeNumber,
    )
    .option('--max-knowledge-bases <count>', 'of an account; a new plan: 20', parseWholeNumber)
    .option('--max-documents <count>', 'of all knowledge bases; a new plan: 200', parseWholeNumber)
    .option('--max-document-megabytes <count>', 'of all documents; a new plan: 200', parseWholeNumber)
    .option('--max-website-pages <count>', 'of one document; a new plan: 60', parseWholeNumber)
    .option('--price-per-minute <amount>', "added to the carrier's cost, per started minute", parseMicros)
    .option('--price-per-message <amount>', 'of a text conversation; a new plan: 0.01', parseMicros)
    .action(createReportAction(setPlan));
}

async function listPlans(): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const found = await runAsOperator(({ plans }) => plans.listPlans());
  return { data: found.map(toPlanData), text: planTable(found) };
}

async function setPlan(
  name: string,
  { pricePerMinute, pricePerMessage, ...counts }: PlanOptions,
): Promise<Report> {
  const { runAsOperator } = await import('../operator/operator.js');
  const limits: Partial<PlanLimits> = {
    maxTools: counts.maxTools,
    maxAssistants: counts.maxAssistants,
    maxCampaigns: counts.maxCampaigns,
    maxLeadsPerCampaign: counts.maxLeadsPerCampaign,
    maxParallelCalls: counts.maxParallelCalls,
    maxTestConversationsPerDay: counts.maxTestConversationsPerDay,
    maxKnowledgeBases: counts.maxKnowledgeBases,
    maxDocuments: counts.maxDocuments,
    maxDocumentMegabytes: counts.maxDocumentMegabytes,
    maxWebsitePages: counts.maxWebsitePages,
    pricePerMinuteMicros: pricePerMinute,
    pricePerMessageMicros: pricePerMessage,
  };
  const plan = await runAsOperator(({ plans }) => plans.setPlanLimits(name, limits));
  return { data: toPlanData(plan), text: planTable([plan]) };
}

const planTable = (plans: Plan[]): string =>
  formatTable(
    [
      'name',
      'tools',
      'assistants',
      'campaigns',
      'leads per campaign',
      'parallel calls',
      'tests a day',
      'knowledge bases',
      'documents',
      'MB of documents',
      'pages of a website',
      'price per minute',
      'price per message',
    ],
    plans.map((plan) => [
      plan.name,
      plan.maxTools,
      plan.maxAssistants,
      plan.maxCampaigns,
      plan.maxLeadsPerCampaign,
      plan.maxParallelCalls,
      plan.maxTestConversationsPerDay,
      plan.maxKnowledgeBases,
      plan.maxDocuments,
      plan.maxDocumentMegabytes,
      plan.maxWebsitePages,
      formatMoney(plan.pricePerMinuteMicros),
      formatMoney(plan.pricePerMessageMicros),
    ]),
  );

const toPlanData = (plan: Plan) => ({
  name: plan.name,
  max_tools: plan.maxTools,
  max_assistants: plan.maxAssistants,
  max_campaigns: plan.maxCampaigns,
  max_leads_per_campaign: plan.maxLeadsPerCampaign,
  max_parallel_calls: plan.maxParallelCalls,
  max_test_conversations_per_day: plan.maxTestConversationsPerDay,
  max_knowledge_bases: plan.maxKnowledgeBases,
  max_documents: plan.maxDocuments,
  max_document_megabytes: plan.maxDocumentMegabytes,
  max_website_pages: plan.maxWebsitePages,
  price_per_minute: toAmount(plan.pricePerMinuteMicros),
  price_per_message: toAmount(plan.pricePerMessageMicros),
});

interface PriceOptions {
  numbers?: boolean;
}

const NUMBERS_OPTION = [
  '--numbers',
  'prices of phone numbers, of a month, in place of SMS segments',
] as const;

export function addPriceCommands(program: Command): void {
  const prices = program
    .command('prices')
    .description('price of an SMS segment or a phone number by country');
  addCommand(prices, 'load <csv>', {
    does: 'load prices from a CSV with the columns country (* for all others) and price; other prices are kept',
    examples: ['prices load sms-prices.csv', 'prices load --numbers number-prices.csv'],
  })
    .option(...NUMBERS_OPTION)
    .action(createReportAction(loadPrices));
  addCommand(prices, 'list', {
    does: 'list current prices',
    examples: ['prices list', 'prices list --numbers'],
  })
    .option(...NUMBERS_OPTION)
    .action(createReportAction(listPrices));
}

async function loadPrices(path: string, { numbers }: PriceOptions): Promise<Report> {
  await access(path, constants.R_OK).catch(() => {
    throw new Error(`${path} cannot be read.`);
  });
  const { lines, changed } = await withPrices(numbers, (prices) => prices.loadPrices(createReadStream(path)));
  return { data: { lines, changed }, text: `${formatQuantity(lines, 'price')} read, ${changed} changed.` };
}

async function listPrices({ numbers }: PriceOptions): Promise<Report> {
  const found = await withPrices(numbers, (prices) => prices.listPrices());
  const rows = found.map(({ country, priceMicros, validFrom }) => [
    country ?? '*',
    formatMoney(priceMicros),
    formatDateTime(validFrom),
  ]);
  return { data: found.map(toPriceData), text: formatTable(['country', 'price', 'since'], rows) };
}

async function withPrices<T>(
  numbers: boolean | undefined,
  work: (prices: CountryPrices) => Promise<T>,
): Promise<T> {
  const { runAsOperator } = await import('../operator/operator.js');
  return runAsOperator(({ prices, numberPrices }) => work(numbers ? numberPrices : prices));
}

const toPriceData = ({ country, priceMicros, validFrom }: CountryPrice) => ({
  country,
  price: toAmount(priceMicros),
  valid_from: formatDateTime(validFrom),
});
