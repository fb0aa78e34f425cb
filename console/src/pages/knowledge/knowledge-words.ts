import type { Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { t } from '#console/texts';

export type Base = Schemas['CountedKnowledgeBaseResponse'];
export type KnowledgeDocument = Schemas['DocumentResponse'];
export type Chunk = Schemas['ChunkResponse'];

/** While a document is being read, so often. */
export const LOOK_MS = 1_500;

/** Passages that a page of a document shows. */
export const CHUNKS_PER_PAGE = 15;

const TONES: Record<Base['status'], Tone> = {
  empty: 'neutral',
  processing: 'running',
  active: 'good',
  failed: 'bad',
};

export const toneOf = (status: Base['status']): Tone => TONES[status];

const names = new Intl.DisplayNames('en', { type: 'language' });

/** @param code by ISO 639-1 */
export const languageOf = (code: string): string => names.of(code) ?? code;

/** What is searched, what not yet, and who answers from it. */
export function describeBase(base: Base, documents: readonly KnowledgeDocument[]): string {
  const { sentence } = t.knowledge;
  const parts = (['active', 'processing', 'failed'] as const).flatMap((status) => {
    const count = documents.filter((document) => document.status === status).length;
    return count > 0 ? [sentence[status](count)] : [];
  });
  const what = parts.length === 0 ? sentence.none : `${parts.join(', ')}.`;
  return `${what} ${sentence.assistants(base.assistants_count)}`;
}

/** Where a passage stands in its document: the title, the headings above it, the page. */
export function placeOf(
  { title, headings, page }: Pick<Chunk, 'title' | 'headings' | 'page'>,
  name: string,
): string {
  const path = [...(title === null || title === name || title === headings[0] ? [] : [title]), ...headings];
  return [path.join(' › '), ...(page === null ? [] : [t.knowledge.document.page(page)])]
    .filter((part) => part !== '')
    .join(', ');
}
