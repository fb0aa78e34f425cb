import type { Readable } from 'node:stream';
import type { BytePart } from '#src/http/byte-range.js';

/** A file that was downloaded from the carrier. */
export interface DownloadedRecording {
  path: string;
  bytes: number;
  contentType: string;
}

/** Keeps copies of recordings. Names are of the form `12/345-6.wav`. */
export interface RecordingStore {
  /** Where downloads are written before they are saved; on the disk of the store, if it has one. */
  readonly incoming: string;
  /** Takes the file over, or leaves it where it is. Saving a name again replaces the copy. */
  save(key: string, file: DownloadedRecording): Promise<void>;
  /**
   * @param part null: the whole
   * @returns null when there is no such copy
   */
  open(key: string, part: BytePart | null, signal: AbortSignal): Promise<Readable | null>;
  /** One that does not exist is no error. */
  remove(key: string): Promise<void>;
}
