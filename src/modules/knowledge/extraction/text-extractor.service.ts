import { Injectable } from '@nestjs/common';
import type { ChunkedText, FileType } from './extracted-text.js';
import { ExtractionProcess } from './extraction-process.js';

/** Text of uploaded files, in chunks. */
@Injectable()
export class TextExtractorService {
  /** In a process with limits of time and memory. @throws ExtractionError */
  async extractFile(path: string, type: FileType): Promise<ChunkedText> {
    const reading = new ExtractionProcess();
    try {
      const { title, chunks } = await reading.run({ type, path });
      return { title, chunks };
    } finally {
      reading.close();
    }
  }
}
