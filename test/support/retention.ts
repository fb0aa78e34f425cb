import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { SnakeNamingStrategy } from '#src/database/snake-naming-strategy.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { Account, Plan } from '#src/modules/accounts/entities/account.entities.js';
import { CallRetentionService } from '#src/modules/calls/retention/call-retention.service.js';
import { StatisticsRetentionService } from '#src/modules/calls/retention/statistics-retention.service.js';
import { ChatRetentionService } from '#src/modules/chats/chat-retention.service.js';
import { KnowledgeRetentionService } from '#src/modules/knowledge/knowledge-retention.service.js';
import { RetentionPolicy } from '#src/modules/retention/entities/retention-policy.entity.js';
import { RetentionPassService } from '#src/modules/retention/retention-pass.service.js';
import { RetentionPoliciesService } from '#src/modules/retention/retention-policies.service.js';
import { RetentionRegistryService } from '#src/modules/retention/retention-registry.service.js';
import { SmsRetentionService } from '#src/modules/sms/sms-retention.service.js';
import type { NumberHashesService } from '#src/modules/suppressions/number-hashes.service.js';
import { WebhookRetentionService } from '#src/modules/webhooks/webhook-retention.service.js';
import type { TestAccount } from '../factories/account.js';
import { database, databaseUrl } from './database.js';

const MODULES = [
  StatisticsRetentionService,
  ChatRetentionService,
  KnowledgeRetentionService,
  SmsRetentionService,
  WebhookRetentionService,
];

/** The service's keys are not known here. */
const HASHES = partialFake<NumberHashesService>({
  hashNumbers: async (_tx, _accountId, numbers) => numbers.map(() => randomUUID()),
});

/** Only some accounts: other tests have rules, too. */
class SomePolicies extends RetentionPoliciesService {
  only: readonly number[] = [];

  override async findAccounts(after: number): Promise<number[]> {
    return (await super.findAccounts(after, 1_000_000)).filter((id) => this.only.includes(id));
  }
}

/** The pass of the service, at the moment of the test and in its process. */
export class RetentionPass {
  private readonly metrics = new MetricsService();
  private readonly pass: RetentionPassService;
  private readonly policies: SomePolicies;

  private constructor(
    private readonly db: DataSource,
    readonly registry: RetentionRegistryService,
  ) {
    new CallRetentionService(registry, HASHES).onModuleInit();
    for (const Module of MODULES) new Module(registry).onModuleInit();
    this.policies = new SomePolicies(db.getRepository(RetentionPolicy), {} as never);
    const reportOutage = (error: unknown): never => {
      throw error;
    };
    this.pass = new RetentionPassService(
      {} as never,
      db,
      this.policies,
      registry,
      { reportOutage } as never,
      { isHeld: false } as never,
      this.metrics,
    );
  }

  static async open(): Promise<RetentionPass> {
    const namingStrategy = new SnakeNamingStrategy();
    const db = new DataSource({
      type: 'postgres',
      url: databaseUrl(),
      namingStrategy,
      entities: [RetentionPolicy, Account, Plan],
      extra: { options: '-c timezone=UTC' },
    });
    return new RetentionPass(await db.initialize(), new RetentionRegistryService());
  }

  /** Of these accounts, as far as they have a rule. */
  run(accounts: TestAccount[], stopping = new AbortController().signal): Promise<void> {
    this.policies.only = accounts.map(({ id }) => id);
    return this.pass.clearAll(stopping);
  }

  /** What the metric has counted. */
  async removed(kind: string): Promise<number> {
    const text = await this.metrics.registry.metrics();
    return Number(new RegExp(`retention_removed_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  }

  close(): Promise<void> {
    return this.db.destroy();
  }
}

export async function keeps({ client }: TestAccount, retention: Record<string, unknown>): Promise<void> {
  const { status, text } = await client.put('/user/retention', retention);
  if (status !== 200) throw new Error(text);
}

/** Moves the end of calls. */
export const endedDaysAgo = (days: number, ...ids: number[]): Promise<unknown> =>
  database().query('UPDATE calls SET ended_at = now() - make_interval(days => $1) WHERE id = ANY($2)', [
    days,
    ids,
  ]);

/** Finished calls of an assistant, with a turn each. */
export async function manyCalls(
  { id }: TestAccount,
  assistantId: number,
  count: number,
  days: number,
): Promise<void> {
  await database().query(
    `WITH added AS (
       INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration, transcript, ended_at)
       SELECT $1, $2, 'Ada', 'inbound', 'completed', gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0,
              600, 'AI: Hello', now() - make_interval(days => $4)
         FROM generate_series(1, $3) RETURNING id)
     INSERT INTO call_turns (call_id, seq, role, text) SELECT id, 1, 'assistant', 'Hello' FROM added`,
    [id, assistantId, count, days],
  );
}
