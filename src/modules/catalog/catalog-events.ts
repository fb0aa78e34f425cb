import { defineEvent } from '#src/events/event-type.js';

/** A language model, or a speech provider, by its id in the catalogue. */
export interface WarnedCatalogueEntry {
  kind: 'models' | 'providers';
  id: number;
}

/** It is missing, retires soon or has retired: once for each of these. */
export const ModelRetiring = defineEvent<WarnedCatalogueEntry>('model.retiring');
