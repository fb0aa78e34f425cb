import { describe, expect, it } from '@jest/globals';
import { PreparedStatementNames } from './prepared-statements.js';

const run = (statements: PreparedStatementNames, text: string, times: number): (string | null)[] =>
  Array.from({ length: times }, () => statements.countRun(text));

describe('PreparedStatementNames', () => {
  it('names a statement that runs often within a minute, and another one differently', () => {
    const statements = new PreparedStatementNames(() => 0);
    expect(run(statements, 'SELECT 1', 20)).toEqual([...Array<null>(19).fill(null), 'busy_1']);
    expect(statements.countRun('SELECT 1')).toBe('busy_1');
    expect(run(statements, 'SELECT 2', 20).at(-1)).toBe('busy_2');
  });

  it('does not name statements that run rarely', () => {
    let now = 0;
    const statements = new PreparedStatementNames(() => (now += 10_000));
    expect(new Set(run(statements, 'SELECT 1', 100))).toEqual(new Set([null]));
  });

  it('names 200 statements at most, and none that is very long', () => {
    const statements = new PreparedStatementNames(() => 0);
    const named = Array.from({ length: 300 }, (_, index) => run(statements, `SELECT ${index}`, 20).at(-1));
    expect(named.filter((name) => name !== null)).toHaveLength(200);
    const others = new PreparedStatementNames(() => 0);
    expect(run(others, 'x'.repeat(8_001), 20).at(-1)).toBeNull();
  });

  it('gives a statement another name when its plan has become invalid', () => {
    const statements = new PreparedStatementNames(() => 0);
    run(statements, 'SELECT 1', 20);
    statements.replaceName('SELECT 1');
    expect(run(statements, 'SELECT 1', 20).at(-1)).toBe('busy_2');
  });
});
