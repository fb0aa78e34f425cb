import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BytePart } from '#src/http/byte-range.js';
import type { DownloadedRecording, RecordingStore } from './recording-store.js';

/** Copies in a folder that all processes share. */
export class FolderStore implements RecordingStore {
  readonly incoming: string;

  constructor(private readonly folder: string) {
    this.incoming = join(folder, '.incoming');
  }

  /** Renamed when it is on the disk: a file with its final name is complete, whenever the machine stops. */
  async save(key: string, { path }: DownloadedRecording): Promise<void> {
    const target = join(this.folder, key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    await syncFolder(dirname(target));
  }

  async open(key: string, part: BytePart | null): Promise<Readable | null> {
    const path = join(this.folder, key);
    const found = await stat(path).catch(nullIfMissing);
    return found && createReadStream(path, part ? { start: part.first, end: part.last } : {});
  }

  async remove(key: string): Promise<void> {
    await rm(join(this.folder, key), { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
