import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { openValidators, removeValidators, validatorOf } from './validators.js';

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 3 } },
  unevaluatedProperties: false,
};
const written = (): string[] => readdirSync(process.env.E2E_VALIDATORS ?? '');

beforeAll(() => openValidators());
afterAll(() => {
  removeValidators();
  delete process.env.E2E_VALIDATORS;
});

it('finds all that is wrong, when a validator is written and when it is loaded', async () => {
  for (const _ of ['written', 'loaded']) {
    const validate = await validatorOf({ ...SCHEMA });
    expect(validate({ name: 'Ada' })).toBe(true);
    expect(validate({ name: 'Grace', age: 1 })).toBe(false);
    expect(validate.errors?.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
      ['/name', 'maxLength'],
      ['', 'unevaluatedProperties'],
    ]);
    expect(written()).toEqual([expect.stringMatching(/^\w{64}\.cjs$/)]);
  }
});

it('compiles in memory where nothing was opened, as in fault runs', async () => {
  const { E2E_VALIDATORS } = process.env;
  delete process.env.E2E_VALIDATORS;
  const validate = await validatorOf(SCHEMA);
  process.env.E2E_VALIDATORS = E2E_VALIDATORS;
  expect([validate({ name: 'Ada' }), validate({ name: 1 })]).toEqual([true, false]);
});
