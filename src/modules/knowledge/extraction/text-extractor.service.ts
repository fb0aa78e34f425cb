import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ChunkedText, FileType } from './extracted-text.js';
import { ExtractionProcess, type Extractor } from './extraction-process.js';

/** For as long, the next file of the same account finds its process: a start takes more than a short text. */
const KEPT_MS = 5_000;
/** A larger file may leave its process with too little memory for the next one. */
const MAX_KEPT_BYTES = 1024 * 1024;

interface KeptProcess {
  accountId: number;
  reading: Extractor;
  timer: NodeJS.Timeout;
}

/** Text of uploaded files, in chunks. */
@Injectable()
export class TextExtractorService implements OnApplicationShutdown {
  /** Of the account whose file was read last: no process has read files of two accounts. */
  private kept: KeptProcess | null = null;

  /** In a process with limits of time and memory. @throws ExtractionError */
  async extractFile(accountId: number, path: string, type: FileType, bytes: number): Promise<ChunkedText> {
    const reading = this.take(accountId) ?? new ExtractionProcess();
    try {
      const { title, chunks } = await reading.run({ type, path });
      return { title, chunks };
    } finally {
      if (bytes <= MAX_KEPT_BYTES) this.keep(accountId, reading);
      else reading.close();
    }
  }

  onApplicationShutdown(): void {
    this.end();
  }

  private take(accountId: number): Extractor | null {
    if (this.kept?.accountId !== accountId) return null;
    const { reading, timer } = this.kept;
    clearTimeout(timer);
    this.kept = null;
    return reading;
  }

  private keep(accountId: number, reading: Extractor): void {
    this.end();
    this.kept = { accountId, reading, timer: setTimeout(() => this.end(), KEPT_MS).unref() };
  }

  private end(): void {
    clearTimeout(this.kept?.timer);
    this.kept?.reading.close();
    this.kept = null;
  }
}
