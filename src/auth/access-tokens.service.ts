import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { isInRanges } from '../common/address-ranges.js';
import { Unauthenticated } from '../common/errors/api-error.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { BatchLoader } from '../common/persistence/batches.js';
import { lockAccount } from '../common/persistence/locks.js';
import { AccessToken } from './entities/access-token.entity.js';

const PREFIX = 'vac_';
/** In SQL. */
const LIVE = '(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))';
/** Expired and revoked tokens of an account that are kept, the newest. */
const MAX_ENDED = 100;
const MOST_SHOWN = 1000;
/** Tokens that one query looks up. */
const MAX_BATCH = 200;
const TOKEN = /^vac_[0-9a-f]{48}[0-9a-f]{8}$/;

/** Prefix, 24 random bytes and a CRC-32, all but the prefix in hexadecimal. The service stores only its hash. */
export function newAccessToken(): string {
  const secret = randomBytes(24).toString('hex');
  return PREFIX + secret + checksum(secret);
}

/** Checks the CRC-32, so that a mistyped token costs no query. */
export function isWellFormedToken(token: string): boolean {
  return TOKEN.test(token) && checksum(token.slice(PREFIX.length, -8)) === token.slice(-8);
}

/** SHA-256 in hexadecimal. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(8, '0');

/** The account and scopes of a valid token. */
export interface TokenGrant {
  /** Of the token. */
  id: number;
  name: string;
  accountId: number;
  scopes: Scope[];
  /** Addresses and CIDR ranges of the clients that may use it; empty: all. */
  allowedAddresses: string[];
  /** When the token ends; null: never. */
  expiresAt: Date | null;
  /** No use of the last minute is stored. */
  isUseDue: boolean;
}

/** A client that goes on using its token after the request, as a stream does. */
export interface TokenUser {
  tokenHash: string;
  /** IP address of the client. */
  address: string;
}

export interface NewToken {
  name: string;
  scopes: Scope[];
  /** Empty: all. */
  allowedAddresses: string[];
  /** Null: never. */
  expiresAt: Date | null;
}

interface GrantRow {
  token_hash: string;
  id: number;
  name: string;
  account_id: number;
  scopes: Scope[];
  allowed_addresses: string[];
  expires_at: Date | null;
  is_use_due: boolean;
}

@Injectable()
export class AccessTokensService {
  /** Tokens of requests that arrive while others are looked up share a query; none is kept after its answer. */
  private readonly grants = new BatchLoader<string, TokenGrant | null>(
    (hashes) => this.lookUp(hashes),
    MAX_BATCH,
  );

  constructor(@InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>) {}

  /** @returns `token`, whose text cannot be read again later */
  async createToken(
    accountId: number,
    name: string,
    { scopes = [...SCOPES], expiresAt = null, allowedAddresses = [] }: Partial<Omit<NewToken, 'name'>> = {},
    tx: EntityManager = this.tokens.manager,
  ): Promise<{ id: number; token: string }> {
    const token = newAccessToken();
    const tokenHash = hashToken(token);
    const columns = { accountId, name, scopes, expiresAt, allowedAddresses, tokenHash };
    const { id } = await tx.save(tx.create(AccessToken, columns));
    return { id, token };
  }

  /**
   * For a client with a token of its own, in the caller's transaction. Forgets the oldest of the account's tokens that
   * have ended.
   *
   * @param most valid tokens of the account
   * @returns null when the account has as many; `token` is the text
   * @throws Unauthenticated when the creator was revoked meanwhile
   */
  async createDelegatedToken(
    tx: EntityManager,
    creator: TokenGrant,
    fields: NewToken,
    most: number,
  ): Promise<{ key: AccessToken; token: string } | null> {
    const { accountId } = creator;
    const token = newAccessToken();
    await lockAccount(tx, accountId);
    await keepValid(tx, creator);
    if ((await countValid(tx, accountId)) >= most) return null;
    const row = tx.create(AccessToken, { ...fields, accountId, tokenHash: hashToken(token) });
    return { key: await tx.save(row), token };
  }

  /** At most 1,000, newest first; expired ones too. */
  listUnrevokedTokens(accountId: number): Promise<AccessToken[]> {
    return this.tokens.find({
      where: { accountId, revokedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MOST_SHOWN,
    });
  }

  /** Newest first, also those that were revoked. */
  listTokens(accountId: number): Promise<AccessToken[]> {
    return this.tokens.find({ where: { accountId }, order: { id: 'DESC' } });
  }

  /** Also of a revoked one; null: it was removed. */
  async findName(accountId: number, id: number): Promise<string | null> {
    return (await this.tokens.findOneBy({ id, accountId }))?.name ?? null;
  }

  /** @returns false when the account has no such token, or it was revoked before. */
  async revokeToken(tx: EntityManager, accountId: number, id: number): Promise<boolean> {
    const { affected } = await tx.update(
      AccessToken,
      { id, accountId, revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    return affected === 1;
  }

  /**
   * Renames a token or changes the addresses that may use it, from its next request on.
   *
   * @returns null when the account has no such token, or it was revoked
   */
  async updateToken(
    tx: EntityManager,
    accountId: number,
    id: number,
    fields: Partial<Pick<NewToken, 'name' | 'allowedAddresses'>>,
  ): Promise<AccessToken | null> {
    const where = { id, accountId, revokedAt: IsNull() };
    if (Object.keys(fields).length > 0) await tx.update(AccessToken, where, fields);
    return tx.findOneBy(AccessToken, where);
  }

  /** Those of the clients that may use their tokens now. */
  async findPermitted<U extends TokenUser>(users: readonly U[]): Promise<Set<U>> {
    const rows: Pick<GrantRow, 'token_hash' | 'allowed_addresses'>[] = await this.tokens.query(
      `SELECT token_hash, allowed_addresses FROM access_tokens WHERE token_hash = ANY($1) AND ${LIVE}`,
      [[...new Set(users.map(({ tokenHash }) => tokenHash))]],
    );
    const ranges = new Map(rows.map((row) => [row.token_hash, row.allowed_addresses]));
    return new Set(
      users.filter(({ tokenHash, address }) => {
        const allowed = ranges.get(tokenHash);
        return allowed !== undefined && mayUseFrom(address, allowed);
      }),
    );
  }

  /** Null: the token is unknown, revoked or expired. */
  async findGrant(token: string): Promise<TokenGrant | null> {
    return isWellFormedToken(token) ? this.grants.load(hashToken(token)) : null;
  }

  private async lookUp(hashes: string[]): Promise<(TokenGrant | null)[]> {
    const rows: GrantRow[] = await this.tokens.query(
      `SELECT token_hash, id, name, account_id, scopes, allowed_addresses, expires_at,
              coalesce(last_used_at < now() - interval '1 minute', true) AS is_use_due
         FROM access_tokens WHERE token_hash = ANY($1) AND ${LIVE}`,
      [[...new Set(hashes)]],
    );
    const found = new Map(rows.map((row) => [row.token_hash, toGrant(row)]));
    return hashes.map((hash) => found.get(hash) ?? null);
  }
}

/** @param allowed addresses and CIDR ranges; empty: all */
export const mayUseFrom = (address: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 || isInRanges(address, allowed);

const toGrant = (row: GrantRow): TokenGrant => ({
  id: row.id,
  name: row.name,
  accountId: row.account_id,
  scopes: row.scopes,
  allowedAddresses: row.allowed_addresses,
  expiresAt: row.expires_at,
  isUseDue: row.is_use_due,
});

/**
 * Locks the token against revocation until the transaction's end: after the response to a revocation, the revoked
 * token creates no other token.
 *
 * @throws Unauthenticated
 */
async function keepValid(tx: EntityManager, { id }: TokenGrant): Promise<void> {
  const found = await tx.query<unknown[]>(`SELECT 1 FROM access_tokens WHERE id = $1 AND ${LIVE} FOR SHARE`, [
    id,
  ]);
  if (found.length === 0) throw new Unauthenticated();
}

/** Deletes the oldest tokens that have ended, so that their number is limited too. */
async function countValid(tx: EntityManager, accountId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>(
    `WITH forgotten AS (
       DELETE FROM access_tokens WHERE id IN (
         SELECT id FROM access_tokens WHERE account_id = $1 AND NOT ${LIVE} ORDER BY id DESC OFFSET ${MAX_ENDED}))
     SELECT count(*)::int AS count FROM access_tokens WHERE account_id = $1 AND ${LIVE}`,
    [accountId],
  );
  return row?.count ?? 0;
}
