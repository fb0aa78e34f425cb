import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { strToU8 } from 'fflate';
import { RecordingPlaybackService } from '../../recordings/recording-playback.service.js';
import type { Person } from '#src/common/personal-data.js';
import { ArchiveGone, ArchiveNotReady, ExportNotFound } from '../personal-data.errors.js';
import { PersonalDataJobsRepository } from '../personal-data-jobs.repository.js';
import { PersonalDataService } from '../personal-data.service.js';
import { ExportSourcesService } from './export-sources.service.js';
import { zipStream, type ZippedFile } from './zip-stream.js';

/** Such a response in the OpenAPI document. */
export const ZIP_RESPONSE = {
  mediaType: 'application/zip',
  schema: { type: 'string', format: 'binary' },
  models: [],
};

/** The archive of an export: a file of JSON for each kind, and recordings. */
@Injectable()
export class ArchiveService {
  constructor(
    private readonly personalData: PersonalDataService,
    private readonly jobs: PersonalDataJobsRepository,
    private readonly sources: ExportSourcesService,
    private readonly recordings: RecordingPlaybackService,
  ) {}

  /** @throws ExportNotFound, ArchiveNotReady, ArchiveGone */
  async openArchive(userId: number, id: number): Promise<StreamableFile> {
    const job = await this.personalData.findJob(userId, 'export', id);
    if (!job) throw new ExportNotFound();
    if (job.status === 'waiting' || job.status === 'running') throw new ArchiveNotReady();
    if (job.phoneNumber === null || (job.expiresAt ?? new Date(0)) <= new Date()) throw new ArchiveGone();
    const closed = new AbortController();
    const pieces = zipStream(this.files(await this.jobs.openPerson(job), closed.signal));
    // The next piece is requested by the socket, outside of the request's async context.
    const next = AsyncResource.bind(() => pieces.next());
    const bound = { next, return: () => pieces.return(undefined), [Symbol.asyncIterator]: () => bound };
    const stream = Readable.from(bound, { objectMode: false, highWaterMark: 64 * 1024 });
    stream.once('close', () => closed.abort());
    const disposition = `attachment; filename="export-${id}.zip"`;
    return new StreamableFile(stream, { type: ZIP_RESPONSE.mediaType, disposition });
  }

  private async *files(person: Person, signal: AbortSignal): AsyncGenerator<ZippedFile> {
    for (const { kind, rows } of this.sources.files(person))
      yield { name: `${kind}.json`, isCompressed: true, content: jsonArray(rows) };
    for await (const callId of this.sources.readRecordedCalls(person)) {
      const audio = await this.recordings.openAudio(callId, signal);
      if (!audio) continue;
      const extension = audio.contentType === 'audio/mpeg' ? 'mp3' : 'wav';
      yield { name: `recordings/call-${callId}.${extension}`, isCompressed: false, content: audio.body };
    }
  }
}

/** A row a line. */
async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const row of rows) {
    yield strToU8(before + JSON.stringify(row));
    before = ',\n';
  }
  yield strToU8(before === '[\n' ? '[]\n' : '\n]\n');
}
