import { Logger } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { JobProcessor, type JobResult, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import { RecordingCopiesService } from './recording-copies.service.js';
import { RecordingsRepository, type ClaimedRecording } from './recordings.repository.js';

const RENEW_MS = 5_000;
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 3_600;
/** The carrier reports a recording sometimes a moment before it delivers it; then it has none. */
const TRIES_WHERE_MISSING = 6;

/** Copies new recordings to the chosen storage, and deletes those of deleted calls wherever they lie. */
@JobProcessor('recording')
export class RecordingProcessor implements RowProcessor {
  private readonly logger = new Logger(RecordingProcessor.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly recordings: RecordingsRepository,
    private readonly copies: RecordingCopiesService,
    private readonly carrier: CarrierCalls,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.recordings.findDue(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    if (!this.copies.isEnabled && (await this.recordings.keepAtCarrier(rowId))) return 'done';
    const work = await this.recordings.claim(rowId);
    if (!work) return 'done';
    addToLogContext({ callId: work.callId });
    const lease = this.keep(work);
    try {
      return await this.work(work, lease.signal);
    } catch (error) {
      const what = work.state === 'deleting' ? 'deleted' : 'copied';
      this.logger.warn(`A recording was not ${what}; trying again`, describeError(error));
      await this.recordings.retryLater(work, pauseAfter(work.claim));
      return 'done';
    } finally {
      lease.end();
    }
  }

  private work(work: ClaimedRecording, signal: AbortSignal): Promise<JobResult> {
    if (work.state === 'new') return this.copy(work, signal);
    return work.state === 'copied' ? this.deleteAtCarrier(work) : this.deleteEverywhere(work);
  }

  private async copy(work: ClaimedRecording, signal: AbortSignal): Promise<JobResult> {
    if (!this.copies.isEnabled) return this.finish(work, 'kept');
    const copy = await this.copies.copy(work, signal);
    if (copy) return this.finish(work, this.settings.recordings.deleteAtCarrier ? 'copied' : 'kept', copy);
    if (work.claim >= TRIES_WHERE_MISSING) return this.finish(work, 'kept');
    await this.recordings.retryLater(work, pauseAfter(work.claim));
    return 'done';
  }

  private async deleteAtCarrier(work: ClaimedRecording): Promise<JobResult> {
    await this.carrier.deleteRecording(work.carrierUrl);
    return this.finish(work, 'kept');
  }

  private async deleteEverywhere(work: ClaimedRecording): Promise<JobResult> {
    await Promise.all([this.carrier.deleteRecording(work.carrierUrl), this.copies.remove(work)]);
    await this.recordings.remove(work);
    return 'done';
  }

  /** The call may have been deleted meanwhile. */
  private async finish(...parameters: Parameters<RecordingsRepository['finish']>): Promise<JobResult> {
    const state = await this.recordings.finish(...parameters);
    return state === null || state === 'kept' ? 'done' : 'again';
  }

  /**
   * Renews the lease during the work. The signal aborts when renewals have failed for so long that another process may
   * have started: nothing may be written then.
   */
  private keep(work: ClaimedRecording): { signal: AbortSignal; end(): void } {
    const lost = new AbortController();
    const seconds = work.leasedUntil - performance.now();
    let leasedUntil = work.leasedUntil;
    const timer = setInterval(() => {
      const renewedAt = performance.now();
      if (renewedAt + RENEW_MS > leasedUntil) return lost.abort(new Error('The lease expired'));
      this.recordings.renew(work).then(
        () => (leasedUntil = renewedAt + seconds),
        () => undefined,
      );
    }, RENEW_MS);
    return { signal: lost.signal, end: () => clearInterval(timer) };
  }
}

const pauseAfter = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 20));
