import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readPrices } from './country-prices.js';

const read = (text: string) => readPrices(Readable.from([text]));

describe('readPrices', () => {
  it('reads countries and the default', async () => {
    expect(await read('\uFEFFcountry,price\nUS,0.0079\n\ngb, 0.05 \n*,0.1\n')).toEqual([
      { country: 'US', priceMicros: 7_900n },
      { country: 'GB', priceMicros: 50_000n },
      { country: null, priceMicros: 100_000n },
    ]);
  });

  it.each([
    ['country,price\nUS,0.01\nUK,0.02\n', 'Line 3: country is no ISO 3166 code or *. Nothing was loaded.'],
    ['country,price\nUS,0.01\nUS,0.02\n', 'Line 3: US was priced before. Nothing was loaded.'],
    ['country,price\nUS,-1\n', 'Line 2: price is no decimal number of 0 or more. Nothing was loaded.'],
    ['country,price\nUS,\n', 'Line 2: price is no decimal number of 0 or more. Nothing was loaded.'],
    ['country,cost\nUS,1\n', 'Line 2: price is no decimal number of 0 or more. Nothing was loaded.'],
    ['country,price\n', 'The price list is empty; it needs the columns country and price.'],
    ['country,price\nUS,1,2\n', /^The price list cannot be read: /],
  ])('refuses %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
