import { ApiError, BadRequest, Unprocessable } from '#src/common/errors/api-error.js';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';

export interface RequestKey {
  accountId: number;
  key: string;
  /** Requests that have one of them in common are equal. The first one is stored. */
  hashes: readonly string[];
}

export class IdempotencyKeyMalformed extends BadRequest {
  constructor() {
    super('The Idempotency-Key header must have 1 to 255 visible characters.');
  }
}

export class IdempotencyKeyReused extends Unprocessable {
  constructor() {
    super('This Idempotency-Key was used with another request.');
  }
}

export class IdempotencyKeyInFlight extends ApiError {
  constructor() {
    super(409, 'A request with this Idempotency-Key is still in progress.', {}, { 'Retry-After': '1' });
  }
}

export interface ClaimedRequest {
  kind: 'claimed';
  /** Names the logical request: the same again for a retry after the process that worked on it died. */
  requestId: string;
  lock: string;
  /** The id of the resource that a dead process created; null: none. */
  createdId: number | null;
}

/** The key of a request that is worked on. */
export type ClaimedKey = Pick<ClaimedRequest, 'lock' | 'createdId'>;

export interface StoredKeyResponse {
  kind: 'answered';
  status: number;
  /** JSON; empty for an answer without a body. */
  body: string;
}

export type KeyClaim = ClaimedRequest | StoredKeyResponse | { kind: 'in-flight' } | { kind: 'other-request' };

/**
 * In the transaction that creates something: the process that takes the request over, because this one dies before it
 * answers, finds its id as `createdId`.
 *
 * @throws IdempotencyKeyInFlight: another process has taken the request over already
 */
export async function recordCreatedId(tx: EntityManager, key: ClaimedKey | null, id: number): Promise<void> {
  if (!key) return;
  const { affected } = await tx.update(IdempotencyKey, { lock: key.lock }, { createdId: id });
  if (!affected) throw new IdempotencyKeyInFlight();
}

interface IdempotencyKeyRow {
  request_hash: string;
  status_code: number | null;
  body: string | null;
  outdated: boolean;
}

/** How long a process that died keeps its keys; one that lives renews them. */
const LEASE_SECONDS = 20;
const KEPT_SECONDS = 24 * 3600;
/** Rows that one statement removes: short locks, short transactions. */
const FORGET_BATCH = 1_000;

/** The keys' table decides for all processes which of the requests with one key is worked on. */
@Injectable()
export class IdempotencyService {
  /** Locks of the requests that this process works on. */
  private readonly held = new Set<string>();

  constructor(private readonly db: DataSource) {}

  async claimKey(request: RequestKey): Promise<KeyClaim> {
    for (;;) {
      const claimed = await this.tryToClaim(request);
      if (claimed) return claimed;
      const row = await this.find(request);
      if (!row) continue;
      if (row.outdated) await this.forget(request);
      else if (!request.hashes.includes(row.request_hash)) return { kind: 'other-request' };
      else if (row.status_code === null) return { kind: 'in-flight' };
      else return { kind: 'answered', status: row.status_code, body: row.body ?? '' };
    }
  }

  /** Keeps the answer for a day. */
  async storeResponse(lock: string, status: number, body: string): Promise<void> {
    this.held.delete(lock);
    await this.db.manager.update(IdempotencyKey, { lock }, { statusCode: status, body });
  }

  /** The next request with this key is a new one. */
  async releaseKey(lock: string): Promise<void> {
    this.held.delete(lock);
    await this.db.manager.delete(IdempotencyKey, { lock });
  }

  async renewHeldKeys(): Promise<void> {
    if (this.held.size === 0) return;
    await this.db.query(
      `UPDATE idempotency_keys SET locked_until = now() + make_interval(secs => $2) WHERE lock = ANY($1)`,
      [[...this.held], LEASE_SECONDS],
    );
  }

  /** @returns whether there may be more: one call forgets a batch of them. */
  async deleteExpiredKeys(): Promise<boolean> {
    const [, count]: [unknown[], number] = await this.db.query(
      `DELETE FROM idempotency_keys WHERE lock IN (
         SELECT lock FROM idempotency_keys WHERE created_at < now() - make_interval(secs => $1)
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [KEPT_SECONDS, FORGET_BATCH],
    );
    return count === FORGET_BATCH;
  }

  /** Takes a key that nobody has, or over from a process that stopped renewing its lease. */
  private async tryToClaim({ accountId, key, hashes }: RequestKey): Promise<ClaimedRequest | null> {
    const lock = randomUUID();
    const [row]: { request_id: string; made_id: number | null }[] = await this.db.query(
      `INSERT INTO idempotency_keys AS known (account_id, key, request_hash, lock, locked_until)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
       ON CONFLICT (account_id, key) DO UPDATE SET lock = excluded.lock, locked_until = excluded.locked_until
        WHERE known.status_code IS NULL AND known.request_hash = ANY($6) AND known.locked_until < now()
       RETURNING request_id, made_id`,
      [accountId, key, hashes[0], lock, LEASE_SECONDS, hashes],
    );
    if (!row) return null;
    this.held.add(lock);
    return { kind: 'claimed', requestId: row.request_id, lock, createdId: row.made_id };
  }

  private async find({ accountId, key }: RequestKey): Promise<IdempotencyKeyRow | undefined> {
    const [row]: IdempotencyKeyRow[] = await this.db.query(
      `SELECT request_hash, status_code, body, created_at < now() - make_interval(secs => $3) AS outdated
         FROM idempotency_keys WHERE account_id = $1 AND key = $2`,
      [accountId, key, KEPT_SECONDS],
    );
    return row;
  }

  private async forget({ accountId, key }: RequestKey): Promise<void> {
    await this.db.query(
      `DELETE FROM idempotency_keys
        WHERE account_id = $1 AND key = $2 AND created_at < now() - make_interval(secs => $3)`,
      [accountId, key, KEPT_SECONDS],
    );
  }
}
