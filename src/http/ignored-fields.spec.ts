import { describe, expect, it } from '@jest/globals';
import { isEmptyValue, ignoredFieldNames } from './ignored-fields.js';

describe('isEmptyValue', () => {
  it.each([undefined, null, false, 0, -0, '', ' ', '0', '0.0', [], {}, [null, ''], { a: { b: [] } }])(
    'of %j',
    (value) => {
      expect(isEmptyValue(value)).toBe(true);
    },
  );

  it.each([true, 1, -1, '1', 'no', 'false', [1], { a: 'b' }, [{ a: [0, 1] }]])('not of %j', (value) => {
    expect(isEmptyValue(value)).toBe(false);
  });
});

describe('ignoredFieldNames', () => {
  const fields = {
    base: {},
    mode: { default: 'none' },
    instance: { default: 1 },
    emotion: { default: true },
    list: { parts: (value: unknown) => (Array.isArray(value) ? ['list.0'] : []) },
  };

  it.each([
    [{}, []],
    [{ base: 5, unknown: 5 }, ['base']],
    [{ mode: 'prompt', base: 5 }, ['base', 'mode']],
    [{ mode: 'none', instance: 1, emotion: true }, []],
    [{ instance: '1', emotion: '1' }, []],
    [{ emotion: 1 }, []],
    [{ instance: 2, emotion: 'loud' }, ['instance', 'emotion']],
    [{ list: [1] }, ['list.0']],
    [{ constructor: 5, toString: 5 }, []],
    [[], []],
    ['text', []],
    [null, []],
  ])('of %j', (body, names) => {
    expect(ignoredFieldNames(body, fields)).toEqual(names);
  });

  it('reads no inherited property', () => {
    expect(ignoredFieldNames({}, { toString: {}, constructor: {} })).toEqual([]);
  });
});
