import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccessTokensService, mayUseFrom, type TokenGrant } from '#src/auth/access-tokens.service.js';
import { Invalid } from '#src/common/errors/api-error.js';
import { amountToMicros } from '#src/common/money/micros.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { readTimestamp } from '#src/common/validation/text-fields.js';
import { SpendLimitsService, type Spender } from '../accounts/spend-limits.service.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { ApiKeyLimitReached, ApiKeyNotFound } from './api-keys.errors.js';
import type { CreateApiKeyDto, UpdateApiKeyDto } from './dto/api-key-input.dto.js';
import {
  toApiKeyResponse,
  toNewApiKeyResponse,
  type ApiKeyResponse,
  type ApiKeysResponse,
  type CreatedApiKeyResponse,
} from './dto/api-key.response.js';

/** Valid keys of an account that its own keys may create. Operators may create more. */
export const MAX_KEYS = 100;

/** The keys of an account, as a client with the scope `admin` manages them. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly tokens: AccessTokensService,
    private readonly audit: AuditService,
    private readonly spendLimits: SpendLimitsService,
  ) {}

  /** Expired ones too, but none that were revoked. */
  async listKeys(userId: number): Promise<ApiKeysResponse> {
    const keys = await this.tokens.listUnrevokedTokens(userId);
    const spending = await this.spendLimits.spendingOf(userId);
    return { api_keys: keys.map((key) => toApiKeyResponse(key, spending.get(key.id))) };
  }

  /**
   * No key makes one with more than its own scopes: only `admin` gets here, and it includes all others. Nor one that
   * lives longer: an expiry would bound no key that leaked.
   *
   * @throws Invalid, ApiKeyLimitReached, Unauthenticated
   */
  async createKey(creator: TokenGrant, dto: CreateApiKeyDto): Promise<CreatedApiKeyResponse> {
    const {
      name,
      scopes = creator.scopes,
      allowed_addresses: allowedAddresses = creator.allowedAddresses,
    } = dto;
    const expiresAt = expiryOf(dto.expires_at ?? null, creator.expiresAt);
    return this.audit.change(async (tx, record) => {
      const fields = { name, scopes, allowedAddresses, expiresAt };
      const created = await this.tokens.createDelegatedToken(tx, creator, fields, MAX_KEYS);
      if (!created) throw new ApiKeyLimitReached(MAX_KEYS);
      const { key, token } = created;
      const { spend_limit_per_hour: limit = null } = dto;
      const spender = { accountId: creator.accountId, keyId: key.id };
      if (limit !== null) await this.spendLimits.setLimit(tx, spender, limit);
      const details = {
        name,
        scopes,
        ...(allowedAddresses.length > 0 && { allowed_addresses: allowedAddresses }),
        ...(limit !== null && { spend_limit_per_hour: limit }),
      };
      record({ accountId: creator.accountId, action: 'api-key.create', resourceId: key.id, details });
      const spending = await this.spendLimits.findSpending(spender, tx);
      return { message: 'API key created successfully', api_key: toNewApiKeyResponse(key, token, spending) };
    });
  }

  /**
   * No key shuts itself out: it could not undo that. Nor does it lift its own spend limit.
   *
   * @param address of the client
   * @throws Invalid, ApiKeyNotFound
   */
  async updateKey(
    user: TokenGrant,
    address: string,
    id: number,
    dto: UpdateApiKeyDto,
  ): Promise<ApiKeyResponse> {
    const { name, allowed_addresses: allowedAddresses, spend_limit_per_hour: limit } = dto;
    if (id === user.id && allowedAddresses && !mayUseFrom(address, allowedAddresses)) {
      const problem = `must include the address of this request, ${address}, because its own key is updated`;
      throw new Invalid({ allowed_addresses: [fieldMessage('allowed_addresses', problem)] });
    }
    return this.audit.change(async (tx, record) => {
      const fields = { ...(name !== undefined && { name }), ...(allowedAddresses && { allowedAddresses }) };
      const key = await this.tokens.updateToken(tx, user.accountId, id, fields);
      if (!key) throw new ApiKeyNotFound();
      const spender = { accountId: user.accountId, keyId: id };
      if (limit !== undefined) {
        if (id === user.id) await this.requireNoLift(tx, spender, limit);
        await this.spendLimits.setLimit(tx, spender, limit);
      }
      const details = { name, allowed_addresses: allowedAddresses, spend_limit_per_hour: limit };
      const changed = changedFields({ ...fields, ...(limit !== undefined && { spendLimitPerHour: limit }) });
      const entry = { accountId: user.accountId, resourceId: id, fields: changed, details };
      if (changed.length > 0) record({ ...entry, action: 'api-key.update' });
      return toApiKeyResponse(key, await this.spendLimits.findSpending(spender, tx));
    });
  }

  /** @throws Invalid the key of the request would spend more */
  private async requireNoLift(tx: EntityManager, spender: Spender, limit: number | null): Promise<void> {
    const { limitMicros } = await this.spendLimits.findSpending(spender, tx);
    if (limitMicros === null || (limit !== null && amountToMicros(limit) <= limitMicros)) return;
    const problem = 'must not be raised by the key that it limits';
    throw new Invalid({ spend_limit_per_hour: [fieldMessage('spend_limit_per_hour', problem)] });
  }

  /** Any key, also the one of the request and the last one: a key that leaked can always be revoked. */
  async deleteKey(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      if (!(await this.tokens.revokeToken(tx, userId, id))) throw new ApiKeyNotFound();
      record({ accountId: userId, action: 'api-key.delete', resourceId: id });
    });
  }
}

/**
 * @param latest when the creator ends, and with it what names no time
 * @throws Invalid
 */
function expiryOf(text: string | null, latest: Date | null): Date | null {
  const time = text === null ? latest : readTimestamp(text);
  const refuse = (problem: string): Invalid =>
    new Invalid({ expires_at: [fieldMessage('expires_at', problem)] });
  if (time !== null && time <= new Date()) throw refuse('must be a date after now');
  if (time !== null && latest !== null && time > latest) {
    throw refuse('must not be after the end of the key that creates it');
  }
  return time;
}
