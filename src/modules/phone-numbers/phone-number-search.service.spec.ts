import { describe, expect, it, jest } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { AccountsService } from '../accounts/accounts.service.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { CarrierNumbers } from '../telephony/carrier-numbers.js';
import type { NumberPricesService } from './number-prices.service.js';
import { PhoneNumberSearchService } from './phone-number-search.service.js';

function searching(answer: () => Promise<never[]> = async () => []) {
  const asked: string[] = [];
  const carrier = partialFake<CarrierNumbers>({
    searchNumbers: async ({ countryCode }) => {
      asked.push(countryCode);
      return answer();
    },
  });
  const prices = partialFake<NumberPricesService>({ findPrice: async () => null as never });
  const service = new PhoneNumberSearchService(carrier, partialFake<AccountsService>({}), prices);
  const search = (account: number, country_code: string) =>
    service.searchPhoneNumbers(account, { country_code });
  return { asked, search };
}

describe('PhoneNumberSearchService', () => {
  it('requests each search once a minute from the carrier, for all accounts', async () => {
    const { asked, search } = searching();
    await Promise.all([search(1, 'US'), search(1, 'us'), search(2, 'US')]);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await search(3, 'US');
    now.mockRestore();
    expect(asked).toEqual(['US', 'US']);
  });

  it('lets an account have two searches at once, and four all accounts', async () => {
    const { search } = searching(() => new Promise(() => undefined));
    void search(1, 'US');
    void search(1, 'DE');
    await expect(search(1, 'FR')).rejects.toMatchObject({ status: 429 });
    void search(2, 'FR');
    void search(3, 'GB');
    await expect(search(4, 'IT')).rejects.toMatchObject({ status: 429 });
  });

  it('does not cache a failed search', async () => {
    const { asked, search } = searching(() => Promise.reject(new CarrierError('away', 'unknown')));
    for (const account of [1, 2]) await expect(search(account, 'US')).rejects.toMatchObject({ status: 500 });
    expect(asked).toEqual(['US', 'US']);
  });
});
