import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ExtractionError, type ChunkedText, type FileType } from '../extraction/extracted-text.js';
import { TextExtractorService } from '../extraction/text-extractor.service.js';
import { WebsiteReaderService } from '../website/website-reader.service.js';
import { IngestionRepository, type ClaimedDocument, type NewChunk } from './ingestion.repository.js';

/** Of one document; a search in this many chunks is fast. */
const MAX_CHUNKS = 20_000;
/** Uploads are customers' data: for this process only. */
const OWNER_ONLY = 0o600;

export interface DocumentText {
  chunks: NewChunk[];
  /** Of the text, in UTF-8. */
  bytes: number;
}

/** Reads the text of a document, from its file or its website. */
@Injectable()
export class DocumentReaderService {
  constructor(
    private readonly documents: IngestionRepository,
    private readonly files: TextExtractorService,
    private readonly websites: WebsiteReaderService,
  ) {}

  /** @throws ExtractionError */
  async read(document: ClaimedDocument): Promise<DocumentText> {
    const text = new CollectedText(document.name);
    const { type } = document;
    if (type === 'website') {
      for await (const page of this.websites.read(document)) text.add(page.text);
    } else text.add(await this.readFile(document, type));
    return text.finish();
  }

  private async readFile({ id, accountId }: ClaimedDocument, type: FileType): Promise<ChunkedText> {
    const content = await this.documents.findFile(id);
    // The document was deleted meanwhile.
    if (!content) throw new ExtractionError('The file is gone.');
    const folder = await mkdtemp(join(tmpdir(), 'calls-documents-'));
    try {
      const path = join(folder, `document.${type}`);
      await writeFile(path, content, { mode: OWNER_ONLY });
      return await this.files.extractFile(accountId, path, type, content.length);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

class CollectedText {
  private readonly chunks: NewChunk[] = [];
  private bytes = 0;

  /** @param name the title of pages that have none */
  constructor(private readonly name: string) {}

  /** @throws ExtractionError when it is too much */
  add({ title, chunks }: ChunkedText): void {
    if (this.chunks.length + chunks.length > MAX_CHUNKS)
      throw new ExtractionError(`The document has too much text: more than ${MAX_CHUNKS} passages.`);
    for (const chunk of chunks) {
      this.chunks.push({ ...chunk, title: title ?? this.name });
      this.bytes += Buffer.byteLength(chunk.text);
    }
  }

  /** @throws ExtractionError when there is none */
  finish(): DocumentText {
    if (this.chunks.length === 0) throw new ExtractionError('The document has no text.');
    return { chunks: this.chunks, bytes: this.bytes };
  }
}
