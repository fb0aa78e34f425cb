import type { ResourceTest } from '../support/route.types.js';

const resource = 'knowledgebase';
const missing = { missing: 'Knowledgebase not found.', repeatsError: true } as const;
const input = {
  body: () => ({ name: 'Returns', description: 'How goods are sent back.' }),
  invalid: 'The given data was invalid.',
} as const;

/** For the generated matrix. */
export const knowledgebases: ResourceTest = {
  resource,
  path: () => '/user/knowledgebases',
  create: 'createKnowledgebase',
  routes: {
    listKnowledgebases: { resource: null },
    createKnowledgebase: { resource: null, ...input },
    getKnowledgebase: { resource, ...missing },
    searchKnowledgebase: { resource, ...missing, body: () => ({ query: 'How?' }), invalid: input.invalid },
    listUnanswered: { resource, ...missing },
    updateKnowledgebase: { resource, ...missing, ...input },
    deleteKnowledgebase: { resource, ...missing },
  },
};
