import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { describeValue, requestLimits, settingsDocument } from './settings.mjs';

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

  it('collects the limits of parameters and of the fields of bodies', () => {
    const schemas = {
      LeadDto: {
        properties: {
          name: { type: 'string', maxLength: 9 },
          is_open: { type: 'boolean' },
          tags: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1 } },
          owner: { oneOf: [{ type: 'integer', minimum: 1, maximum: 5 }, { type: 'string' }] },
          contacts: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/ContactDto' } },
        },
      },
      ContactDto: { properties: { data: { type: 'object', 'x-max-kilobytes': 16 } } },
    };
    const schema = { allOf: [{ $ref: '#/components/schemas/LeadDto' }] };
    const parameters = [
      { in: 'path', name: 'id', schema: { type: 'integer', minimum: 1, maximum: 7 } },
      { in: 'header', name: 'Key', schema: { type: 'string', maxLength: 255 } },
    ];
    const put = { operationId: 'updateLead', parameters, requestBody: { content: { json: { schema } } } };
    const limits = (requestLimits as (document: object) => object)({
      paths: { '/leads/{id}': { put }, '/leads': { get: { operationId: 'listLeads' } } },
      components: { schemas },
    });
    expect(limits).toEqual({
      'updateLead id': { minimum: 1, maximum: 7 },
      Key: { maxLength: 255 },
      'LeadDto.name': { maxLength: 9 },
      'LeadDto.tags': { maxItems: 3 },
      'LeadDto.tags[]': { minLength: 1 },
      'LeadDto.owner': { minimum: 1, maximum: 5 },
      'LeadDto.contacts': { maxItems: 2 },
      'ContactDto.data': { 'x-max-kilobytes': 16 },
    });
  });
});
