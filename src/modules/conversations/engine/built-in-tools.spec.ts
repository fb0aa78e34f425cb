import { describe, expect, it } from '@jest/globals';
import { modelTools, parseArguments, toJsonSchema } from './built-in-tools.js';

const PARAMETERS = [
  { name: 'city', type: 'string', description: 'The city.' },
  { name: 'guests', type: 'number', description: 'How many.' },
  { name: 'pets', type: 'boolean', description: 'Whether there are pets.' },
] as const;

describe('toJsonSchema', () => {
  it('requests every parameter and no other', () => {
    expect(toJsonSchema(PARAMETERS.slice(0, 1))).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'The city.' } },
      required: ['city'],
      additionalProperties: false,
    });
  });
});

describe('modelTools', () => {
  it('offers what ends the call, and functions with the values that they accept', () => {
    const tool = {
      name: 'switch_language',
      description: 'Switches.',
      parameters: [{ name: 'language', type: 'string', description: 'The language.' }] as const,
    };
    const run = async () => ({ ok: true, result: null, durationMs: 0, statusCode: null }) as const;
    expect(modelTools([], null, []).map(({ name }) => name)).toEqual(['end_call', 'stop_calling']);
    const offered = modelTools([], null, [{ tool, choices: { language: ['en-US', 'de-DE'] }, run }]);
    expect(offered.map(({ name }) => name)).toEqual(['end_call', 'stop_calling', 'switch_language']);
    expect(offered.at(-1)?.parameters).toMatchObject({
      properties: { language: { type: 'string', enum: ['en-US', 'de-DE'] } },
      required: ['language'],
    });
  });
});

describe('parseArguments', () => {
  it.each([
    ['as asked', '{"city":"Bern","guests":2,"pets":true}', { city: 'Bern', guests: 2, pets: true }],
    ['written as text', '{"city":5,"guests":"2","pets":"false"}', { city: '5', guests: 2, pets: false }],
    [
      'with more than asked',
      '{"city":"Bern","guests":2,"pets":true,"x":1}',
      { city: 'Bern', guests: 2, pets: true },
    ],
  ])('accepts values %s', (_, text, values) => {
    expect(parseArguments(PARAMETERS, text)).toEqual({ values });
  });

  it.each([
    ['{"city":"Bern","guests":2}', 'pets'],
    ['{"city":"Bern","guests":"two","pets":true}', 'guests'],
    ['{"city":"Bern","guests":"","pets":true}', 'guests'],
    ['{"city":null,"guests":2,"pets":true}', 'city'],
    ['{"city":{"name":"Bern"},"guests":2,"pets":true}', 'city'],
    ['{"city":"Bern","guests":2,"pets":"maybe"}', 'pets'],
    ['{"city":"Bern"', 'JSON'],
    ['[1]', 'object'],
    ['null', 'object'],
  ])('refuses %s', (text, named) => {
    expect(parseArguments(PARAMETERS, text)).toEqual({ fault: expect.stringContaining(named) });
  });

  it('does not read inherited properties', () => {
    const parameters = [{ name: 'constructor', type: 'string', description: 'Who built it.' }] as const;
    expect(parseArguments(parameters, '{}')).toHaveProperty('fault');
    expect(parseArguments(parameters, '{"constructor":"Ann"}')).toEqual({ values: { constructor: 'Ann' } });
  });

  it('reads an empty text as no arguments', () => {
    expect(parseArguments([], '')).toEqual({ values: {} });
  });
});
