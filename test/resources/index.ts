import type { ResourceTest } from '../support/route.types.js';
import { apiKeys } from './api-keys.js';
import { documents } from './documents.js';
import { erasures } from './erasures.js';
import { exports } from './exports.js';
import { folders } from './folders.js';
import { knowledgebases } from './knowledgebases.js';
import { labels } from './labels.js';
import { suppressions } from './suppressions.js';

/** In the order in which they are created: a parent first. `npm run new:module` adds a line. */
export const RESOURCE_TESTS: Record<string, ResourceTest> = {
  suppressions,
  apiKeys,
  folders,
  labels,
  knowledgebases,
  documents,
  erasures,
  exports,
};
