import { expect, it } from '@jest/globals';
import { verifyStatistics } from './statistics.js';

const CLEAN = { code: 0, text: '' };

it('accepts statistics that equal the calls', () => {
  const accounts = [{ id: 1, shown: { busy: 3, completed: 1 }, counted: { completed: 1, busy: 3 } }];
  expect(verifyStatistics({ accounts, verify: CLEAN })).toEqual([]);
});

it.each([
  ['a call that is missing', { busy: 2 }, { busy: 3 }],
  ['a call that counts twice', { busy: 4 }, { busy: 3 }],
  ['a status that is missing', {}, { busy: 3 }],
  ['a status of no call', { busy: 3, failed: 1 }, { busy: 3 }],
])('reports %s', (_, shown, counted) => {
  expect(verifyStatistics({ accounts: [{ id: 1, shown, counted }], verify: CLEAN })).toHaveLength(1);
});

it('reports findings of the operator command', () => {
  expect(verifyStatistics({ accounts: [], verify: { code: 1, text: 'one finding\n' } })).toEqual([
    'accounts verify ended with 1: one finding',
  ]);
});
