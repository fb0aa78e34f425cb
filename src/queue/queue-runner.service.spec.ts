import { expect, it } from '@jest/globals';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { currentLogContext, runWithLogContext, type LogContext } from '#src/common/logging/log-context.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { InProcessQueueService } from './in-process-queue.service.js';
import {
  ALL_JOB_KINDS,
  type JobKind,
  JobProcessor,
  JobQueue,
  type JobRow,
  type RowProcessor,
} from './job-queue.js';
import { QueueRunnerService } from './queue-runner.service.js';

it('runs a job, unless the gate is closed, with kind and row in the log context, without the request that enqueued it', async () => {
  const seen: LogContext[] = [];
  const gate = { isHeld: true };
  let done = (): void => undefined;
  const processed = new Promise<void>((resolve) => (done = resolve));
  const processorOf = (kind: JobKind) => {
    @JobProcessor(kind)
    class RecordingProcessor implements RowProcessor {
      async findDueRows(): Promise<JobRow[]> {
        return [];
      }

      async process(): Promise<void> {
        seen.push({ ...currentLogContext() });
        done();
      }
    }
    return RecordingProcessor;
  };
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [
      QueueRunnerService,
      { provide: JobQueue, useClass: InProcessQueueService },
      { provide: RuntimeSettings, useValue: { role: 'worker' } },
      { provide: DatabaseOutageService, useValue: { report: () => false } },
      { provide: RestoreGateService, useValue: gate },
      ...ALL_JOB_KINDS.map(processorOf),
    ],
  }).compile();
  await module.init();
  // Left to its row while a restored database waits for its release.
  module.get(JobQueue).enqueue('sms-check', { id: 6, accountId: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  gate.isHeld = false;
  runWithLogContext({ requestId: 'request-1' }, () =>
    module.get(JobQueue).enqueue('sms-check', { id: 7, accountId: 1 }),
  );
  await processed;
  await module.close();
  expect(seen).toEqual([{ job: 'sms-check', rowId: '7' }]);
});
