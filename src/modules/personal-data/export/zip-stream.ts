import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { nextBulkTurn } from '#src/common/fairness/bulk-turns.js';

/** A file of an archive. */
export interface ZippedFile {
  name: string;
  /** Audio is not. */
  isCompressed: boolean;
  content: AsyncIterable<Uint8Array>;
}

/** A ZIP archive of any length: one piece of one file is in memory, and other requests run after each. */
export async function* zipStream(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const taken = (): Uint8Array[] => {
    const pieces = ready;
    ready = [];
    return pieces;
  };
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  for await (const { name, isCompressed, content } of files) {
    const file = isCompressed ? new ZipDeflate(name) : new ZipPassThrough(name);
    archive.add(file);
    for await (const piece of content) {
      file.push(piece);
      yield* taken();
      await nextBulkTurn();
    }
    file.push(new Uint8Array(0), true);
    yield* taken();
  }
  archive.end();
  yield* taken();
}
