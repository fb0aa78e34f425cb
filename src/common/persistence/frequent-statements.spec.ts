import { describe, expect, it } from '@jest/globals';
import { FrequentStatements } from './frequent-statements.js';

const run = (statements: FrequentStatements, text: string, times: number): (string | null)[] =>
  Array.from({ length: times }, () => statements.nameOf(text));

describe('FrequentStatements', () => {
  it('names a statement that runs often within a minute, and another one differently', () => {
    const statements = new FrequentStatements(() => 0);
    expect(run(statements, 'SELECT 1', 20)).toEqual([...Array<null>(19).fill(null), 'busy_1']);
    expect(statements.nameOf('SELECT 1')).toBe('busy_1');
    expect(run(statements, 'SELECT 2', 20).at(-1)).toBe('busy_2');
  });

  it('names no statement that runs now and then', () => {
    let now = 0;
    const statements = new FrequentStatements(() => (now += 10_000));
    expect(new Set(run(statements, 'SELECT 1', 100))).toEqual(new Set([null]));
  });

  it('names 200 statements at most, and none that is very long', () => {
    const statements = new FrequentStatements(() => 0);
    const named = Array.from({ length: 300 }, (_, index) => run(statements, `SELECT ${index}`, 20).at(-1));
    expect(named.filter((name) => name !== null)).toHaveLength(200);
    const others = new FrequentStatements(() => 0);
    expect(run(others, 'x'.repeat(8_001), 20).at(-1)).toBeNull();
  });

  it('gives a statement another name when its plan has become invalid', () => {
    const statements = new FrequentStatements(() => 0);
    run(statements, 'SELECT 1', 20);
    statements.forgetName('SELECT 1');
    expect(run(statements, 'SELECT 1', 20).at(-1)).toBe('busy_2');
  });
});
