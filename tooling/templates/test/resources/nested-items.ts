import type { ResourceTest } from '../support/route.types.js';

const resource = 'nestedItem';
const missing = 'Nested item not found';
const parents = { sampleItemId: 'sampleItem' };
const input = {
  body: () => ({ name: 'First', note: 'By e-mail' }),
  invalid: 'The given data was invalid.',
} as const;

/** For the generated matrix. */
export const nestedItems: ResourceTest = {
  resource,
  path: ({ ids }) => `/user/sample-items/${ids.sampleItem}/nested-items`,
  create: 'createNestedItem',
  routes: {
    listNestedItems: { resource: null, parents },
    createNestedItem: { resource: null, parents, ...input },
    getNestedItem: { resource, parents, missing },
    updateNestedItem: { resource, parents, missing, ...input },
    deleteNestedItem: { resource, parents, missing },
  },
};
