import { beforeEach, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { getRepositoryToken } from '@nestjs/typeorm';
import { AccountsService } from './accounts.service.js';
import { Account } from './entities/account.entities.js';

describe('AccountsService', () => {
  let accounts: AccountsService;
  let reads: number;

  beforeEach(async () => {
    reads = 0;
    const find = async () => {
      reads++;
      return [{ id: 1, country: 'GB' }];
    };
    const repository = { provide: getRepositoryToken(Account), useValue: { manager: { find } } };
    const module = await Test.createTestingModule({ providers: [AccountsService, repository] }).compile();
    accounts = module.get(AccountsService);
  });

  it('reads the account once for any number of national numbers', async () => {
    const read = accounts.createNumberParser(1);
    const written = Array.from({ length: 101 }, (_, index) => `020 7946 0${String(index).padStart(3, '0')}`);
    const numbers = await Promise.all(written.map(read));
    expect([numbers[0], numbers[100]]).toEqual([{ number: '+442079460000' }, { number: '+442079460100' }]);
    expect(reads).toBe(1);
  });

  it('reads no account for an international number', async () => {
    expect(await accounts.formatNumber(1, ' +1 415 555 2671')).toBe('+14155552671');
    expect(reads).toBe(0);
  });

  it('reads a leading space in a query string as +', async () => {
    const is = (value: string) => ({ operator: '=', value });
    expect(await accounts.toNumberCondition(1, ' 14155552671')).toEqual(is('+14155552671'));
    expect(await accounts.toNumberCondition(1, '020 7946 0123')).toEqual(is('+442079460123'));
  });

  it.each([
    ['415', '%415%'],
    ['+1 (415)', '%+1415%'],
    [' 1415', '%+1415%'],
    ['123456', '%123456%'],
  ])('matches %j, which is fewer than seven digits, as a part', async (input, value) => {
    expect(await accounts.toNumberCondition(1, input)).toEqual({ operator: 'LIKE', value });
  });

  it.each(['nobody', '+', '', '%', '_23'])('matches nothing with %j', async (input) => {
    expect(await accounts.toNumberCondition(1, input)).toBeNull();
  });
});
