import { DataSource } from 'typeorm';
import { SnakeNamingStrategy } from '#src/database/snake-naming-strategy.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { CallRetentionService } from '#src/modules/calls/retention/call-retention.service.js';
import { StatisticsRetentionService } from '#src/modules/calls/retention/statistics-retention.service.js';
import { ChatRetentionService } from '#src/modules/chats/chat-retention.service.js';
import { KnowledgeRetentionService } from '#src/modules/knowledge/knowledge-retention.service.js';
import { RetentionPolicy } from '#src/modules/retention/entities/retention-policy.entity.js';
import { RetentionPassService } from '#src/modules/retention/retention-pass.service.js';
import { RetentionPoliciesService } from '#src/modules/retention/retention-policies.service.js';
import { RetentionRegistryService } from '#src/modules/retention/retention-registry.service.js';
import { SmsRetentionService } from '#src/modules/sms/sms-retention.service.js';
import { WebhookRetentionService } from '#src/modules/webhooks/webhook-retention.service.js';
import type { TestAccount } from '../factories/account.js';
import { database, databaseUrl } from './database.js';

const MODULES = [
  CallRetentionService,
  StatisticsRetentionService,
  ChatRetentionService,
  KnowledgeRetentionService,
  SmsRetentionService,
  WebhookRetentionService,
];

/** The pass of the service, at the moment of the test and in its process. */
export class RetentionPass {
  private readonly metrics = new MetricsService();
  private readonly pass: RetentionPassService;

  private constructor(
    private readonly db: DataSource,
    readonly registry: RetentionRegistryService,
  ) {
    for (const Module of MODULES) new Module(registry).onModuleInit();
    const policies = new RetentionPoliciesService(db.getRepository(RetentionPolicy), {} as never);
    const reportOutage = (error: unknown): never => {
      throw error;
    };
    this.pass = new RetentionPassService(
      {} as never,
      db,
      policies,
      registry,
      { reportOutage } as never,
      this.metrics,
    );
  }

  static async open(): Promise<RetentionPass> {
    const namingStrategy = new SnakeNamingStrategy();
    const db = new DataSource({
      type: 'postgres',
      url: databaseUrl(),
      namingStrategy,
      entities: [RetentionPolicy],
      extra: { options: '-c timezone=UTC' },
    });
    return new RetentionPass(await db.initialize(), new RetentionRegistryService());
  }

  run(stopping = new AbortController().signal): Promise<void> {
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
