import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { PreparedQuery } from '../common/persistence/prepared-query.js';
import { hashToken, isWellFormedToken, newAccessToken } from './access-token.js';
import { AccessToken } from './entities/access-token.entity.js';

@Injectable()
export class AccessTokensService {
  private readonly accountOfHash: PreparedQuery<{ account_id: number }>;

  constructor(
    db: DataSource,
    @InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>,
  ) {
    this.accountOfHash = new PreparedQuery(
      db,
      `SELECT account_id FROM access_tokens
        WHERE token_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    );
  }

  /** @returns the token's text, which cannot be read again later. */
  async create(accountId: number, name: string, expiresAt: Date | null = null): Promise<string> {
    const token = newAccessToken();
    await this.tokens.insert({ accountId, name, tokenHash: hashToken(token), expiresAt });
    return token;
  }

  list(accountId: number): Promise<AccessToken[]> {
    return this.tokens.find({ where: { accountId }, order: { id: 'DESC' } });
  }

  /** @returns false when the account has no such live token. */
  async revoke(accountId: number, id: number): Promise<boolean> {
    const { affected } = await this.tokens.update(
      { id, accountId, revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    return affected === 1;
  }

  /** @returns the account that the token opens; null when it is unknown, revoked or expired. */
  async accountOf(token: string): Promise<number | null> {
    if (!isWellFormedToken(token)) return null;
    const [row] = await this.accountOfHash.run([hashToken(token)]);
    return row?.account_id ?? null;
  }
}
