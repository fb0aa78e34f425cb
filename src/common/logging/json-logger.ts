import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

/** What Nest tells of its own start, line by line: of interest only when looking for a fault in it. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's logger as one JSON line per message; never given private data (see docs/ARCHITECTURE.md). */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: string) {
    this.pino = pino({
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    });
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  /** Nest passes the context last, and a stack or a detail before it. */
  private write(level: 'info' | 'warn' | 'error' | 'debug', message: unknown, rest: unknown[]): void {
    const texts = rest.filter((part): part is string => typeof part === 'string' && part !== '');
    const context = texts.pop();
    const detail = texts.length > 0 ? texts.join('\n') : undefined;
    const quiet = level === 'info' && context !== undefined && FRAMEWORK.has(context);
    const text = message instanceof Error ? (message.stack ?? message.message) : String(message);
    this.pino[quiet ? 'debug' : level]({ context, detail }, text);
  }
}
