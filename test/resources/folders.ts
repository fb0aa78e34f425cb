import type { ResourceTest } from '../support/route.types.js';

const resource = 'folder';
const missing = { missing: 'Folder not found', repeatsError: true } as const;
let sequence = 0;
/** A name of its own for every body: names are taken once. */
const input = {
  body: () => ({ name: `Folder ${++sequence}`, color: 'teal' }),
  invalid: 'The given data was invalid.',
} as const;

/** For the generated matrix. */
export const folders: ResourceTest = {
  resource,
  path: () => '/user/folders',
  create: 'createFolder',
  routes: {
    listFolders: { resource: null },
    createFolder: { resource: null, ...input },
    createFolderAlias: { resource: null, ...input },
    getFolder: { resource, ...missing },
    updateFolder: { resource, ...missing, ...input },
    updateFolderAlias: { resource, ...missing, ...input },
    deleteFolder: { resource, ...missing },
    deleteFolderAlias: { resource, ...missing },
  },
};
