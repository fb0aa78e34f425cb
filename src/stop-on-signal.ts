import type { LoggerService } from '@nestjs/common';

export interface ShutdownSteps {
  /** Adds a step to take when the service stops; the steps run in the reverse order of their adding. */
  onShutdown(step: () => Promise<void>): void;
  /** Ends the process with exit code 1: without what is gone there is nothing left to do. */
  fail(reason: string): void;
}

/** Ctrl-C reaches us twice when npm passes it on as well; only a later one means "do not wait". */
const REPEAT_MS = 1_000;
/** Steps that wait for what is gone get no longer. */
const FAILED_STOP_MS = 20_000;

/** SIGTERM and SIGINT stop what runs so far, also in the middle of the start. */
export function stopOnSignal(logger: LoggerService): ShutdownSteps {
  const steps: (() => Promise<void>)[] = [];
  let stoppingSince: number | null = null;
  const stop = async (): Promise<void> => {
    if (stoppingSince !== null) {
      if (Date.now() - stoppingSince > REPEAT_MS) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    logger.log('Stopping', 'Main');
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => logger.error(error, 'Main'));
    }
    process.exit();
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const fail = (reason: string): void => {
    logger.error(reason, 'Main');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), FAILED_STOP_MS).unref();
    if (stoppingSince === null) void stop();
  };
  return { onShutdown: (step) => void steps.push(step), fail };
}
