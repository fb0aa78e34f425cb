import type { LoggerService } from '@nestjs/common';

export interface ShutdownSteps {
  /** Adds a shutdown step. Steps run in reverse order, one after another. */
  onShutdown(step: () => Promise<void>): void;
  /** Runs the steps and exits with code 1. */
  fail(reason: string): void;
}

/** A second signal ends the process at once, but not within this time: with npm a Ctrl-C arrives twice. */
const REPEAT_MS = 1_000;
/** After `fail()`, steps may wait for a server that has ended. */
const FAILED_STOP_MS = 20_000;

/** On SIGTERM and SIGINT runs the steps that were added so far, also during the start. */
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
