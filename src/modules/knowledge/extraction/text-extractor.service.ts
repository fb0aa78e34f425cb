import { Injectable } from '@nestjs/common';
import type { ChunkedText, FileType } from './extracted-text.js';
import { ExtractionThread } from './extraction-thread.js';

/** Text of uploaded files, in chunks. */
@Injectable()
export class TextExtractorService {
  /** In a thread with limits of time and memory. @throws ExtractionError */
  async extractFile(path: string, type: FileType): Promise<ChunkedText> {
    const thread = new ExtractionThread();
    try {
      const { title, chunks } = await thread.run({ type, path });
      return { title, chunks };
    } finally {
      await thread.close();
    }
  }
}
