import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import type { RecordingCopy, ClaimedRecording } from './recordings.repository.js';
import type { DownloadedRecording, RecordingStore } from './stores/recording-store.js';
import { RecordingStoresService } from './stores/recording-stores.service.js';

/** Limit of a download, also of a steady one: it holds one of few slots. */
const LONGEST_DOWNLOAD_MS = 10 * 60_000;

/** Downloads recordings from the carrier into the chosen store, and removes them from there. */
@Injectable()
export class RecordingCopiesService {
  constructor(
    private readonly stores: RecordingStoresService,
    private readonly carrier: CarrierCalls,
  ) {}

  get isEnabled(): boolean {
    return this.store !== null;
  }

  /** @returns null when the carrier has no such recording */
  async copy(work: ClaimedRecording, lost: AbortSignal): Promise<RecordingCopy | null> {
    const { store } = this;
    if (!store) return null;
    const signal = AbortSignal.any([lost, AbortSignal.timeout(LONGEST_DOWNLOAD_MS)]);
    await this.discardDownloads(work, store);
    try {
      const file = await this.download(work, store, signal);
      if (!file) return null;
      signal.throwIfAborted();
      const objectKey = keyOf(work);
      await store.save(objectKey, file);
      const { bytes, contentType } = file;
      return { storage: this.stores.chosen, objectKey, bytes, contentType };
    } finally {
      await this.discardDownloads(work, store);
    }
  }

  /** Also a copy that was saved by a process that died before it could write that down. */
  async remove(work: ClaimedRecording): Promise<void> {
    const store = work.objectKey === null ? this.store : this.stores.findStore(work.storage);
    if (!store && work.objectKey !== null) {
      throw new Error(`The settings do not name the storage ${work.storage} of a recording any more`);
    }
    if (!store) return;
    await this.discardDownloads(work, store);
    await store.remove(work.objectKey ?? keyOf(work));
  }

  private get store(): RecordingStore | null {
    return this.stores.findStore(this.stores.chosen);
  }

  private async download(
    { id, claim, carrierUrl }: ClaimedRecording,
    { incoming }: RecordingStore,
    signal: AbortSignal,
  ): Promise<DownloadedRecording | null> {
    const audio = await this.carrier.fetchRecording(carrierUrl, { range: null, signal });
    if (!audio || 'outside' in audio) return null;
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const path = join(incoming, `${id}-${claim}`);
    await pipeline(audio.body, createWriteStream(path, { mode: 0o600, flush: true }), { signal });
    const { size: bytes } = await stat(path);
    if (bytes === 0 || (audio.total !== null && bytes !== audio.total)) {
      throw new Error(`The carrier sent ${bytes} of ${audio.total ?? 'unknown'} bytes`);
    }
    return { path, bytes, contentType: audio.contentType };
  }

  /** Those of this recording, of earlier attempts too. */
  private async discardDownloads({ id }: ClaimedRecording, { incoming }: RecordingStore): Promise<void> {
    const names = await readdir(incoming).catch(() => []);
    const own = names.filter((name) => name.startsWith(`${id}-`));
    await Promise.all(own.map((name) => rm(join(incoming, name), { force: true })));
  }
}

/** The same at every attempt, so that a repeated copy replaces the one before. */
const keyOf = ({ id, accountId, callId }: ClaimedRecording): string => `${accountId}/${callId}-${id}.wav`;
