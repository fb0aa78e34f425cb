import { aNumber } from '../factories/lead.js';
import type { ResourceTest } from '../support/route.types.js';

/** For the generated matrix. */
export const exports: ResourceTest = {
  resource: 'export',
  path: () => '/user/exports',
  create: 'createExport',
  routes: {
    listExports: { resource: null },
    createExport: {
      resource: null,
      body: () => ({ phone_number: aNumber() }),
      invalid: 'The given data was invalid.',
    },
    getExport: { resource: 'export', missing: 'Export not found' },
    getExportArchive: { resource: 'export', missing: 'Export not found' },
  },
};
