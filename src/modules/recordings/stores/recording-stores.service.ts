import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { RecordingStorage } from '#src/config/recordings.env.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { FolderStore } from './folder-store.js';
import type { RecordingStore } from './recording-store.js';
import { S3Store } from './s3-store.js';

/** The stores that the settings name; copies in one that is no longer the chosen one stay readable. */
@Injectable()
export class RecordingStoresService {
  /** Where new copies go; `carrier`: nothing is copied. */
  readonly chosen: RecordingStorage;
  private readonly folder: FolderStore;
  private readonly s3: S3Store | null;

  constructor({ recordings: { storage, folder, s3 }, dataDir }: RuntimeSettings) {
    this.chosen = storage;
    this.folder = new FolderStore(folder);
    this.s3 = s3 && new S3Store(s3, join(dataDir, 'recordings-incoming'));
  }

  /** Null for the carrier, and for a bucket that the settings do not name any more. */
  findStore(storage: RecordingStorage): RecordingStore | null {
    return { carrier: null, folder: this.folder, s3: this.s3 }[storage];
  }
}
