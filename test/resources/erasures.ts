import { aNumber } from '../factories/lead.js';
import type { ResourceTest } from '../support/route.types.js';

/** For the generated matrix. */
export const erasures: ResourceTest = {
  resource: 'erasure',
  path: () => '/user/erasures',
  create: 'createErasure',
  routes: {
    listErasures: { resource: null },
    createErasure: {
      resource: null,
      body: () => ({ phone_number: aNumber() }),
      invalid: 'The given data was invalid.',
    },
    getErasure: { resource: 'erasure', missing: 'Erasure not found' },
  },
};
