import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';

it('returns the data of the service, the account and the key to the console', async () => {
  const account = await anAccount({ country: 'DE' });
  const { body } = await account.client.get('/user/console');
  expect(body).toEqual({
    data: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      public_url: expect.stringMatching(/^http/),
      carrier: { name: 'twilio', sandbox: true },
      model: { sandbox: true },
      currency: 'USD',
      country: 'DE',
      time_zone: 'Europe/Berlin',
      scopes: ['read', 'calls', 'messages', 'write', 'admin'],
      plan: expect.objectContaining({ name: 'standard', price_per_minute: 0.05 }),
      restored: false,
      features: { docs: true },
    },
  });
});

it('returns the scopes of a limited key, and no time zone where the country has several', async () => {
  const account = await anAccount({ country: 'US' });
  const key = await anApiKey(account, { scopes: ['read'] });
  const { body } = await account.client.withToken(key.token).get('/user/console');
  expect(body).toMatchObject({ data: { scopes: ['read'], time_zone: null } });
});
