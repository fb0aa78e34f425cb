import type { ResourceTest } from '../support/route.types.js';

/** For the generated matrix. */
export const apiKeys: ResourceTest = {
  resource: 'apiKey',
  path: () => '/user/api-keys',
  create: 'createApiKey',
  routes: {
    listApiKeys: { resource: null },
    createApiKey: {
      resource: null,
      body: () => ({ name: 'CRM' }),
      invalid: 'The given data was invalid.',
    },
    updateApiKey: {
      resource: 'apiKey',
      missing: 'API key not found',
      body: () => ({ name: 'CRM' }),
      invalid: 'The given data was invalid.',
    },
    deleteApiKey: { resource: 'apiKey', missing: 'API key not found' },
  },
};
