import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { selectChangedColumns } from '#src/common/persistence/columns.js';
import { INSTALLATION, type AuditDetails } from '../audit/audit.types.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { Plan } from './entities/account.entities.js';
import { OperatorError } from './accounts.errors.js';

export interface PlanLimits {
  maxTools: number;
  maxAssistants: number;
  maxCampaigns: number;
  /** Main leads. */
  maxLeadsPerCampaign: number;
  /** Calls of one account at the same time. */
  maxParallelCalls: number;
  maxKnowledgeBases: number;
  /** Of all knowledge bases of an account together, as the next one. */
  maxDocuments: number;
  maxDocumentMegabytes: number;
  /** Of one document. */
  maxWebsitePages: number;
  /** Added to the carrier's cost, per started minute. */
  pricePerMinuteMicros: bigint;
  /** Of a message in a text conversation. */
  pricePerMessageMicros: bigint;
  /** Text conversations of the type `test` that an account may begin in 24 hours; they are free. */
  maxTestConversationsPerDay: number;
}

/** The largest limit; the assistants of an account that has it are not counted. */
export const MAX_PLAN_LIMIT = 1_000_000;
const MAX_LEADS = 100_000_000;
/** Of a new plan; the columns have the same. */
const DEFAULTS = {
  maxAssistants: 1000,
  maxLeadsPerCampaign: 1_000_000,
  maxKnowledgeBases: 20,
  maxDocuments: 200,
  maxDocumentMegabytes: 200,
  maxWebsitePages: 60,
  pricePerMessageMicros: 10_000n,
  maxTestConversationsPerDay: 100,
};

/** Plans are data: an operator changes them while the service runs. */
@Injectable()
export class PlansService {
  constructor(
    @InjectRepository(Plan) private readonly plans: Repository<Plan>,
    private readonly audit: AuditService,
  ) {}

  listPlans(): Promise<Plan[]> {
    return this.plans.find({ order: { name: 'ASC' } });
  }

  /** @throws OperatorError when there is no such plan. */
  async findPlan(name: string): Promise<Plan> {
    const plan = await this.plans.findOneBy({ name });
    if (!plan) throw new OperatorError(`There is no plan named ${name}: "plans list" shows all.`);
    return plan;
  }

  /**
   * Changes the given limits of a plan; a new name makes a new plan, which needs all of them that have no default.
   * @throws OperatorError when a limit is missing, negative or too large.
   */
  async setPlanLimits(name: string, limits: Partial<PlanLimits>): Promise<Plan> {
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) {
      throw new OperatorError('A plan is named by lowercase letters, digits and hyphens.');
    }
    return this.audit.change(async (tx, record) => {
      const known = await tx.findOneBy(Plan, { name });
      const next = checked({ ...known, ...given(limits) });
      const changed = known ? selectChangedColumns<PlanLimits>(next, known) : next;
      if (Object.keys(changed).length > 0)
        record({
          accountId: INSTALLATION,
          action: known ? 'plan.update' : 'plan.create',
          resourceId: name,
          fields: known ? changedFields(changed) : [],
          details: detailsOf(changed),
        });
      return tx.save(tx.create(Plan, { ...known, name, ...next }));
    });
  }
}

/** The new values by the names of `fields`. */
const detailsOf = (limits: Partial<PlanLimits>): AuditDetails =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      changedFields({ [name]: value })[0],
      typeof value === 'bigint' ? String(value) : value,
    ]),
  ) as AuditDetails;

/** The command line passes missing options as undefined. */
const given = (limits: Partial<PlanLimits>): Partial<PlanLimits> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));

function checked({
  pricePerMinuteMicros,
  pricePerMessageMicros = DEFAULTS.pricePerMessageMicros,
  ...counts
}: Partial<PlanLimits>): PlanLimits {
  if (pricePerMinuteMicros === undefined || pricePerMinuteMicros < 0n) {
    throw new OperatorError('A plan needs a price per minute of 0 or more.');
  }
  if (pricePerMessageMicros < 0n) {
    throw new OperatorError('A plan needs a price per message of 0 or more.');
  }
  return {
    maxTools: count('tools', counts.maxTools),
    maxAssistants: count('assistants', counts.maxAssistants ?? DEFAULTS.maxAssistants),
    maxCampaigns: count('campaigns', counts.maxCampaigns),
    maxLeadsPerCampaign: count(
      'leads per campaign',
      counts.maxLeadsPerCampaign ?? DEFAULTS.maxLeadsPerCampaign,
      MAX_LEADS,
    ),
    maxParallelCalls: count('parallel calls', counts.maxParallelCalls),
    maxTestConversationsPerDay: count(
      'test conversations a day',
      counts.maxTestConversationsPerDay ?? DEFAULTS.maxTestConversationsPerDay,
    ),
    maxKnowledgeBases: count('knowledge bases', counts.maxKnowledgeBases ?? DEFAULTS.maxKnowledgeBases),
    maxDocuments: count('documents', counts.maxDocuments ?? DEFAULTS.maxDocuments),
    maxDocumentMegabytes: count(
      'megabytes of documents',
      counts.maxDocumentMegabytes ?? DEFAULTS.maxDocumentMegabytes,
    ),
    maxWebsitePages: count('pages of a website', counts.maxWebsitePages ?? DEFAULTS.maxWebsitePages),
    pricePerMinuteMicros,
    pricePerMessageMicros,
  };
}

function count(what: string, value: number | undefined, max = MAX_PLAN_LIMIT): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new OperatorError(`A plan needs a number of ${what} from 0 to ${max}.`);
}
