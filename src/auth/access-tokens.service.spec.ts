import { describe, expect, it } from '@jest/globals';
import { hashToken, isWellFormedToken, newAccessToken } from './access-tokens.service.js';

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
