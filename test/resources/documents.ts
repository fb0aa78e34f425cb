import type { ResourceTest } from '../support/route.types.js';

const resource = 'document';
const missing = { missing: 'Document not found.', repeatsError: true } as const;
const parents = { knowledgebaseId: 'knowledgebase' };
const ofBase = { resource: null, parents, repeatsError: true } as const;
const invalid = 'The given data was invalid.';

/** For the generated matrix. The website is an address that the service does not read. */
export const documents: ResourceTest = {
  resource,
  path: ({ ids }) => `/user/knowledgebases/${ids['knowledgebase']}/documents`,
  create: 'createDocument',
  routes: {
    listDocuments: ofBase,
    createDocument: {
      ...ofBase,
      body: () => ({ name: 'Help', type: 'website', url: 'https://192.0.2.1/help' }),
      invalid,
    },
    getDocument: { resource, parents, ...missing },
    updateDocument: { resource, parents, ...missing, body: () => ({ name: 'Help' }), invalid },
    listChunks: { resource, parents, ...missing },
    refreshDocument: { resource, parents, ...missing },
    deleteDocument: { resource, parents, ...missing },
  },
};
