import { WebhookSecret } from './entities/webhook.entities.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Repository, type EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { generateSecret } from './webhook-signature.js';
import { WebhookSecretResponse, toWebhookSecretResponse } from './dto/webhook-secret.response.js';

const OLD_SIGNS_FOR_HOURS = 24;

/** Each lengthens the signature header; of an account that rotates without end the newest sign. */
export const MAX_SIGNING = 5;

/** The signing secrets of accounts; the first one is made when it is first needed. */
@Injectable()
export class WebhookSecretsService {
  constructor(@InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>) {}

  async show(userId: number): Promise<WebhookSecretResponse> {
    return toWebhookSecretResponse(await this.living(userId));
  }

  async rotate(userId: number): Promise<WebhookSecretResponse> {
    await this.secrets.manager.transaction(async (tx) => {
      await lockAccount(tx, userId);
      // A request at the same time may make the account's first secret; then that one is replaced too.
      while (!(await this.replaceCurrent(tx, userId)));
    });
    return this.show(userId);
  }

  /** What signs now, the current one first. */
  async signing(accountId: number): Promise<string[]> {
    return (await this.living(accountId)).map(({ secret }) => secret);
  }

  /** Removes those that sign no more. */
  async prune(): Promise<void> {
    await this.secrets.delete({ retiresAt: LessThan(new Date()) });
  }

  /** @returns false when another request made a current secret between the two statements. */
  private async replaceCurrent(tx: EntityManager, accountId: number): Promise<boolean> {
    const retiresAt = (): string => `now() + interval '${OLD_SIGNS_FOR_HOURS} hours'`;
    await tx.update(WebhookSecret, { accountId, retiresAt: IsNull() }, { retiresAt });
    return insertUnlessThereIsOne(tx, accountId);
  }

  private async living(accountId: number): Promise<WebhookSecret[]> {
    const found = await this.find(accountId);
    if (found.some(({ retiresAt }) => retiresAt === null)) return found;
    await insertUnlessThereIsOne(this.secrets.manager, accountId);
    return this.find(accountId);
  }

  private find(accountId: number): Promise<WebhookSecret[]> {
    return this.secrets
      .createQueryBuilder('secret')
      .where('secret.accountId = :accountId', { accountId })
      .andWhere('(secret.retiresAt IS NULL OR secret.retiresAt > now())')
      .orderBy('secret.id', 'DESC')
      .limit(MAX_SIGNING)
      .getMany();
  }
}

/** @returns whether the account had no current secret */
async function insertUnlessThereIsOne(tx: EntityManager, accountId: number): Promise<boolean> {
  const { raw } = await tx
    .createQueryBuilder()
    .insert()
    .into(WebhookSecret)
    .values({ accountId, secret: generateSecret() })
    .orIgnore()
    .execute();
  return (raw as unknown[]).length > 0;
}
