import { createHmac, randomBytes } from 'node:crypto';
import { AuditService } from '../audit/audit.service.js';
import { WebhookSecret } from './entities/webhook.entities.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Repository, type EntityManager } from 'typeorm';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { SecretsService } from '#src/secrets/secrets.service.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { WebhookSecretResponse, toWebhookSecretResponse } from './dto/webhook-secret.response.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const OLD_SECRET_HOURS = 24;

/** Each secret lengthens the signature header; after more rotations only the newest ones sign. */
export const MAX_SIGNING_SECRETS = 5;

/** A secret as it is stored. */
export type StoredWebhookSecret = Pick<WebhookSecret, 'id' | 'secret'>;

const PLACE = { table: 'webhook_secrets', column: 'secret' };

/** The signing secrets of accounts; the first one is created on its first use. */
@Injectable()
export class WebhookSecretsService implements OnModuleInit {
  constructor(
    @InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>,
    private readonly encryption: SecretsService,
    private readonly columns: SealedColumnsService,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.columns.register(this.secrets, 'secret');
  }

  async getSecret(userId: number): Promise<WebhookSecretResponse> {
    const found = await this.findOrCreateValid(userId);
    const texts = await this.openAll(userId, found);
    return toWebhookSecretResponse(found.map((row, n) => ({ ...row, secret: texts[n] ?? '' })));
  }

  async rotateSecret(userId: number): Promise<WebhookSecretResponse> {
    await this.audit.change(async (tx, record) => {
      await lockAccount(tx, userId);
      // A request at the same time may make the account's first secret; then that one is replaced too.
      while (!(await this.replaceCurrent(tx, userId)));
      record({ accountId: userId, action: 'webhook-secret.update' });
    });
    return this.getSecret(userId);
  }

  /**
   * Valid secrets, the current one first.
   * @param stored those that a statement has read already; null: not read, or none
   */
  async signingSecrets(accountId: number, stored: StoredWebhookSecret[] | null): Promise<string[]> {
    return this.openAll(accountId, stored ?? (await this.findOrCreateValid(accountId)));
  }

  /** Removes secrets past their retirement. */
  async deleteExpiredSecrets(): Promise<void> {
    await this.secrets.delete({ retiresAt: LessThan(new Date()) });
  }

  /** @returns false when another request made a current secret between the two statements. */
  private async replaceCurrent(tx: EntityManager, accountId: number): Promise<boolean> {
    const retiresAt = (): string => `now() + interval '${OLD_SECRET_HOURS} hours'`;
    await tx.update(WebhookSecret, { accountId, retiresAt: IsNull() }, { retiresAt });
    return this.insertIfMissing(tx, accountId);
  }

  private async findOrCreateValid(accountId: number): Promise<WebhookSecret[]> {
    const found = await this.findValid(accountId);
    if (found.some(({ retiresAt }) => retiresAt === null)) return found;
    await this.secrets.manager.transaction((tx) => this.insertIfMissing(tx, accountId));
    return this.findValid(accountId);
  }

  private findValid(accountId: number): Promise<WebhookSecret[]> {
    return this.secrets
      .createQueryBuilder('secret')
      .where('secret.accountId = :accountId', { accountId })
      .andWhere('(secret.retiresAt IS NULL OR secret.retiresAt > now())')
      .orderBy('secret.id', 'DESC')
      .limit(MAX_SIGNING_SECRETS)
      .getMany();
  }

  /** @returns whether the account had no current secret */
  private async insertIfMissing(tx: EntityManager, accountId: number): Promise<boolean> {
    const sealer = await this.encryption.sealerOf(tx, accountId);
    // Encrypted with its id, which the row has from here on.
    const { raw } = await tx
      .createQueryBuilder()
      .insert()
      .into(WebhookSecret)
      .values({ accountId, secret: '' })
      .orIgnore()
      .execute();
    const [row] = raw as { id: number }[];
    if (!row) return false;
    const secret = sealer.seal({ ...PLACE, row: row.id }, generateWebhookSecret());
    await tx.update(WebhookSecret, { id: row.id }, { secret });
    return true;
  }

  private openAll(accountId: number, stored: readonly StoredWebhookSecret[]): Promise<string[]> {
    return Promise.all(
      stored.map(({ id, secret }) => this.encryption.open({ ...PLACE, accountId, row: id }, secret)),
    );
  }
}

/** A new signing secret in the form that Standard Webhooks libraries take: `whsec_` and base64. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The `webhook-signature` header (Standard Webhooks 1.0.0): one `v1,…` per secret, so that during a rotation
 * receivers with the old and with the new secret both find theirs. `timestamp` counts seconds; `body` must be
 * the very text that is sent.
 */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`).join(' ');
}

function hmac(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
