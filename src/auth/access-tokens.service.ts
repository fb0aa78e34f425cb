import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { PreparedQuery } from '../common/persistence/prepared-query.js';
import { AccessToken } from './entities/access-token.entity.js';

const PREFIX = 'vac_';
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';
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

@Injectable()
export class AccessTokensService {
  private readonly accountOfHash: PreparedQuery<{ account_id: number }>;

  constructor(
    db: DataSource,
    @InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>,
  ) {
    this.accountOfHash = new PreparedQuery(
      db,
      `SELECT account_id FROM access_tokens WHERE token_hash = $1 AND ${LIVE}`,
    );
  }

  /** @returns the token's text, which cannot be read again later. */
  async createToken(accountId: number, name: string, expiresAt: Date | null = null): Promise<string> {
    const token = newAccessToken();
    await this.tokens.insert({ accountId, name, tokenHash: hashToken(token), expiresAt });
    return token;
  }

  listTokens(accountId: number): Promise<AccessToken[]> {
    return this.tokens.find({ where: { accountId }, order: { id: 'DESC' } });
  }

  /** @returns false when the account has no such live token. */
  async revokeToken(accountId: number, id: number): Promise<boolean> {
    const { affected } = await this.tokens.update(
      { id, accountId, revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    return affected === 1;
  }

  /** Those of the hashes whose tokens are valid now. */
  async liveHashes(hashes: string[]): Promise<Set<string>> {
    const rows: { token_hash: string }[] = await this.tokens.query(
      `SELECT token_hash FROM access_tokens WHERE token_hash = ANY($1) AND ${LIVE}`,
      [hashes],
    );
    return new Set(rows.map(({ token_hash }) => token_hash));
  }

  /** @returns the account that the token opens; null when it is unknown, revoked or expired. */
  async findAccountByToken(token: string): Promise<number | null> {
    if (!isWellFormedToken(token)) return null;
    const [row] = await this.accountOfHash.run([hashToken(token)]);
    return row?.account_id ?? null;
  }
}
