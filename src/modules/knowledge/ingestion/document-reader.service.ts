import { Injectable } from '@nestjs/common';
import { ExtractionError, type ExtractedText } from '../extraction/extracted-text.js';
import { IngestionRepository, type ClaimedDocument, type NewChunk } from './ingestion.repository.js';

/** Of one document; a search in this many chunks is fast. */
const MAX_CHUNKS = 20_000;

export interface DocumentText {
  chunks: NewChunk[];
  /** Of the text, in UTF-8. */
  bytes: number;
}

/** Reads the text of a document, from its file or its website. */
@Injectable()
export class DocumentReaderService {
  constructor(private readonly documents: IngestionRepository) {}

  /** @throws ExtractionError */
  async read(document: ClaimedDocument): Promise<DocumentText> {
    if (document.type !== 'txt') throw new ExtractionError('Documents of this type cannot be read.');
    const content = await this.documents.findFile(document.id);
    if (!content) throw new ExtractionError('The file is gone.');
    return toDocumentText(document, [readPlainText(content)]);
  }
}

function readPlainText(content: Buffer): ExtractedText {
  const blocks = content
    .toString('utf8')
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => ({ text, headings: [], page: null, url: null }));
  return { title: null, blocks };
}

/** @throws ExtractionError when there is no text, or too much */
function toDocumentText({ name }: ClaimedDocument, texts: readonly ExtractedText[]): DocumentText {
  const chunks = texts.flatMap(({ title, blocks }) =>
    blocks.map((chunk) => ({ ...chunk, title: title ?? name })),
  );
  if (chunks.length === 0) throw new ExtractionError('The document has no text.');
  if (chunks.length > MAX_CHUNKS)
    throw new ExtractionError(
      `The document has too much text: ${chunks.length} passages of at most ${MAX_CHUNKS}.`,
    );
  return { chunks, bytes: chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) };
}
