import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { describeError } from '../errors/describe-error.js';
import { currentTraceIds } from '../tracing/tracing.js';
import { currentLogContext } from './log-context.js';

/** What Nest logs about its own start, line by line: of interest only when looking for a fault in it. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const LEVELS: LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/**
 * Nest's JSON logger with our keys: one line per message on standard output, with the ids of the request, the call or
 * the job. It is never given private data (see docs/build/architecture.md), so objects are not written out.
 */
export class JsonLogger extends ConsoleLogger {
  /** @param level a value of LOG_LEVEL */
  constructor(level: string) {
    const lowest = LEVELS.findIndex((name) => name === (level === 'info' ? 'log' : level));
    super({ json: true, logLevels: LEVELS.slice(Math.max(0, lowest)) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && FRAMEWORK.has(context)) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  /** Nest would print a line for each message after the first, and errors on standard error. */
  protected override printMessages(
    [message, ...details]: unknown[],
    context?: string,
    logLevel?: LogLevel,
    _stream?: 'stdout' | 'stderr',
    stack?: unknown,
  ): void {
    const detail = [...details, stack].filter((part) => typeof part === 'string' && part !== '').join('\n');
    super.printMessages([textOf(message)], context, logLevel, 'stdout', detail || undefined);
  }

  protected override stringifyJsonLogObject(record: Record<string, unknown>): string {
    const { level, timestamp, context, message, stack } = record;
    return super.stringifyJsonLogObject({
      level: level === 'log' ? 'info' : level,
      time: new Date(Number(timestamp)).toISOString(),
      ...currentLogContext(),
      ...currentTraceIds(),
      context,
      message,
      detail: stack,
    });
  }
}

const textOf = (message: unknown): string =>
  message instanceof Error ? describeError(message) : String(message);
