import type { Command } from 'commander';
import type { Plan } from '#src/modules/accounts/entities/plan.entity.js';
import type { PlanLimits } from '#src/modules/accounts/plans.service.js';
import { toAmount } from '#src/common/money/micros.js';
import { leaf, printing, micros, wholeNumber } from '../option-values.js';
import { money, table, type Report } from '../output.js';

interface PlanOptions {
  maxTools?: number;
  maxAssistants?: number;
  maxCampaigns?: number;
  maxLeadsPerCampaign?: number;
  maxParallelCalls?: number;
  pricePerMinute?: bigint;
}

export function addPlans(program: Command): void {
  const plans = program.command('plans').description('what accounts may do, and what a minute costs');
  leaf(plans, 'list', { does: 'list all plans', examples: ['plans list'] }).action(printing(listPlans));
  leaf(plans, 'set <name>', {
    does: 'change a plan, or make a new one (which needs all options without a default)',
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
  return { data: found.map(toData), text: rows(found) };
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
  return { data: toData(plan), text: rows([plan]) };
}

const rows = (plans: Plan[]): string =>
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

const toData = (plan: Plan) => ({
  name: plan.name,
  max_tools: plan.maxTools,
  max_assistants: plan.maxAssistants,
  max_campaigns: plan.maxCampaigns,
  max_leads_per_campaign: plan.maxLeadsPerCampaign,
  max_parallel_calls: plan.maxParallelCalls,
  price_per_minute: toAmount(plan.pricePerMinuteMicros),
});
