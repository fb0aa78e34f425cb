import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { describeValue, settingsDocument } from './settings.mjs';

type Describe = (field: object | undefined) => string;
type Write = (effects: object, fields: object, scenarios: Map<string, string[]>) => string;

const rowsOf = (...of: Parameters<Write>): string[] =>
  (settingsDocument as Write)(...of)
    .split('\n')
    .filter((line) => line.startsWith('| `'));

describe('npm run docs:settings', () => {
  it.each([
    [{ type: 'integer', minimum: 5, maximum: 120, default: 30 }, 'integer 5–120; default `30`'],
    [{ type: 'string', maxLength: 500, nullable: true }, 'null or string ≤ 500; default null'],
    [{ type: 'string', maxLength: 255, required: true }, 'string ≤ 255; required'],
    [{ type: 'string', enum: ['vad', 'ai'], default: 'vad' }, '`vad`, `ai`; default `"vad"`'],
    [{ type: () => Object, isArray: true, maxItems: 20, default: [] }, 'list of ≤ 20 objects; default `[]`'],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 100 }, 'list of ≤ 100 integers'],
    [{ type: () => Object }, 'object'],
    [undefined, 'read only'],
  ])('describes %j', (field, text) => {
    expect((describeValue as Describe)(field)).toBe(text);
  });

  it('writes a row for each setting, with its first scenarios', () => {
    const effects = { one: { pipeline: 'A | B' }, two: { pipeline: 'C', multimodal: 'D' } };
    const scenarios = new Map([['two', ['a', 'b', 'c', 'd', 'e']]]);
    expect(rowsOf(effects, { two: { type: 'boolean' } }, scenarios)).toEqual([
      '| `one` | read only | A \\| B | the same | — |',
      '| `two` | boolean | C | D | a; b; c; and 2 more |',
    ]);
  });
});
