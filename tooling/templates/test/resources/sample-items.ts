import type { ResourceTest } from '../support/route.types.js';

const resource = 'sampleItem';
const missing = 'Sample item not found';
const input = {
  body: () => ({ name: 'First', note: 'By e-mail' }),
  invalid: 'The given data was invalid.',
} as const;

/** For the generated matrix. */
export const sampleItems: ResourceTest = {
  resource,
  path: () => '/user/sample-items',
  create: 'createSampleItem',
  routes: {
    listSampleItems: { resource: null },
    createSampleItem: { resource: null, ...input },
    getSampleItem: { resource, missing },
    updateSampleItem: { resource, missing, ...input },
    deleteSampleItem: { resource, missing },
  },
};
