import { Logger } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { JobProcessor, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { ExtractionError } from '../extraction/extracted-text.js';
import { DocumentReaderService } from './document-reader.service.js';
import { IngestionRepository, LEASE_RENEWAL_MS, type ClaimedDocument } from './ingestion.repository.js';

const MAX_ATTEMPTS = 3;
const PAUSE_SECONDS = 5;
const GIVEN_UP = 'The document could not be processed: every attempt was interrupted.';

/** Makes the text of a document searchable. */
@JobProcessor('knowledge-document')
export class DocumentProcessor implements RowProcessor {
  private readonly logger = new Logger(DocumentProcessor.name);

  constructor(
    private readonly documents: IngestionRepository,
    private readonly reader: DocumentReaderService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.documents.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const document = await this.documents.claim(Number(rowId));
    if (!document) return;
    // A file that ends the process would do so for ever.
    if (document.attempts > MAX_ATTEMPTS) return this.documents.fail(document, GIVEN_UP);
    const renewing = setInterval(
      () => void this.documents.renew(document).catch(() => undefined),
      LEASE_RENEWAL_MS,
    );
    try {
      await this.read(document);
    } catch (error) {
      this.logger.warn('A document was not processed; trying again', describeError(error));
      await this.documents.retryLater(document, PAUSE_SECONDS * document.attempts);
    } finally {
      clearInterval(renewing);
    }
  }

  private async read(document: ClaimedDocument): Promise<void> {
    try {
      const { chunks, bytes } = await this.reader.read(document);
      await this.documents.activate(document, chunks, bytes);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      await this.documents.fail(document, error.message);
    }
  }
}
