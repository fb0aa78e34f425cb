import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Repository } from 'typeorm';
import type { AccessToken } from './entities/access-token.entity.js';
import {
  AccessTokensService,
  hashToken,
  isWellFormedToken,
  newAccessToken,
} from './access-tokens.service.js';

describe('access tokens', () => {
  it('have a prefix and a checksum', () => {
    const token = newAccessToken();
    expect(token).toMatch(/^vac_[0-9a-f]{56}$/);
    expect(isWellFormedToken(token)).toBe(true);
    expect(newAccessToken()).not.toBe(token);
  });

  it('are refused when one character is wrong', () => {
    const token = newAccessToken();
    const other = token.at(-1) === '0' ? '1' : '0';
    expect(isWellFormedToken(token.slice(0, -1) + other)).toBe(false);
    expect(isWellFormedToken(token.slice(0, 5) + (token[5] === 'a' ? 'b' : 'a') + token.slice(6))).toBe(
      false,
    );
    expect(isWellFormedToken('')).toBe(false);
  });

  it('are stored as a hash', () => {
    expect(hashToken('x')).toBe('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881');
  });
});

describe('the look-up of tokens', () => {
  const mine = newAccessToken();
  const other = newAccessToken();
  let rows: { token_hash: string; id: number; account_id: number; scopes: string[]; is_use_due: boolean }[];
  let asked: string[][];
  let tokens: AccessTokensService;

  beforeEach(() => {
    const rowOf = (token: string, id: number) => ({
      token_hash: hashToken(token),
      id,
      account_id: id * 10,
      scopes: ['read'],
      is_use_due: false,
    });
    rows = [rowOf(other, 2), rowOf(mine, 1)];
    asked = [];
    const query = async (_text: string, [hashes]: [string[]]) => {
      asked.push(hashes);
      return rows.filter(({ token_hash }) => hashes.includes(token_hash));
    };
    tokens = new AccessTokensService({ query } as unknown as Repository<AccessToken>);
  });

  it('is one query for simultaneous requests, each of which gets its own grant', async () => {
    const found = await Promise.all(
      [mine, other, newAccessToken(), mine].map((token) => tokens.findGrant(token)),
    );
    expect(found.map((grant) => grant?.accountId ?? null)).toEqual([10, 20, null, 10]);
    expect(asked.map((hashes) => hashes.length)).toEqual([3]);
  });

  it('runs again for a later request: a revoked token is refused', async () => {
    expect(await tokens.findGrant(mine)).toMatchObject({ id: 1, accountId: 10, scopes: ['read'] });
    rows = [];
    expect(await tokens.findGrant(mine)).toBeNull();
  });

  it('does not query the database for a token with a wrong checksum', async () => {
    expect(await tokens.findGrant(`${mine.slice(0, -1)}g`)).toBeNull();
    expect(asked).toEqual([]);
  });
});
