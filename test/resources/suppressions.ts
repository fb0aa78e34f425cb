import { aNumber } from '../factories/lead.js';
import type { ResourceTest } from '../support/route.types.js';

/** For the generated matrix. */
export const suppressions: ResourceTest = {
  resource: 'suppression',
  path: () => '/user/suppressions',
  create: 'createSuppression',
  routes: {
    listSuppressions: { resource: null },
    createSuppression: {
      resource: null,
      body: () => ({ phone_number: aNumber() }),
      invalid: 'The given data was invalid.',
    },
    importSuppressions: { resource: null },
    deleteSuppression: { resource: 'suppression', missing: 'Suppression not found' },
  },
};
