import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADVISORY_LOCKS } from './locks.js';

const SRC = join(import.meta.dirname, '..', '..');

describe('ADVISORY_LOCKS', () => {
  it('has a unique number for every lock', () => {
    const numbers = Object.values(ADVISORY_LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('contains the numbers of all advisory locks in the code', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(spec|fake)\.ts$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
    const taking = files.filter(
      ({ text }) => text.includes('pg_advisory_') || text.includes('pg_try_advisory_'),
    );
    expect(taking.length).toBeGreaterThan(2);
    for (const { path, text } of taking) {
      expect([path, text.includes('ADVISORY_LOCKS')]).toEqual([path, true]);
      // The number is a parameter or comes from the list, so that it is none of the statement's own.
      expect([path, /advisory_\w+\((?!\$1|\$\{ADVISORY_LOCKS)/.exec(text)?.[0]]).toEqual([path, undefined]);
    }
  });
});
