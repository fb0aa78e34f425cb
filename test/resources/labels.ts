import type { ResourceTest } from '../support/route.types.js';

const resource = 'label';
const missing = { missing: 'Label not found', repeatsError: true } as const;
let sequence = 0;
/** A name of its own for every body: names are taken once. */
const input = {
  body: () => ({ name: `Label ${++sequence}`, color: 'teal' }),
  invalid: 'The given data was invalid.',
} as const;

/** For the generated matrix. */
export const labels: ResourceTest = {
  resource,
  path: () => '/user/labels',
  create: 'createLabel',
  routes: {
    listLabels: { resource: null },
    createLabel: { resource: null, ...input },
    createLabelAlias: { resource: null, ...input },
    getLabel: { resource, ...missing },
    updateLabel: { resource, ...missing, ...input },
    updateLabelAlias: { resource, ...missing, ...input },
    deleteLabel: { resource, ...missing },
    deleteLabelAlias: { resource, ...missing },
  },
};
