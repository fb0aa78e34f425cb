import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { context as spanContext, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { Logger } from '@nestjs/common';
import Fastify from 'fastify';
import { runInSpan } from '../tracing/tracing.js';
import { JsonLogger } from './json-logger.js';
import { addToLogContext, runWithLogContext, logRequestIds } from './log-context.js';

describe('JsonLogger', () => {
  let written: string[];

  beforeEach(() => {
    written = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      throw new Error(`written on standard error: ${String(text)}`);
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    Logger.overrideLogger(false);
  });

  const lines = () => written.join('').trimEnd().split('\n');
  const records = () => lines().map((line) => JSON.parse(line) as Record<string, unknown>);
  const loggerAt = (level: string): Logger => {
    Logger.overrideLogger(new JsonLogger(level));
    return new Logger('Dialer');
  };

  it('writes one line per message with its detail to standard output', () => {
    const logger = loggerAt('info');
    logger.log('Started');
    logger.warn('Call 7 failed', 'TimeoutError', 'ignored twice');
    logger.error('Job failed', 'TypeError: x\n    at run (file.js:1:1)');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const context = 'Dialer';
    expect(records()).toEqual([
      { level: 'info', time, context, message: 'Started' },
      { level: 'warn', time, context, message: 'Call 7 failed', detail: 'TimeoutError\nignored twice' },
      {
        level: 'error',
        time,
        context,
        message: 'Job failed',
        detail: 'TypeError: x\n    at run (file.js:1:1)',
      },
    ]);
    expect(lines()[0]).toMatch(/^\{"level":"info","time":"[^"]*","context":/);
  });

  it('omits messages below LOG_LEVEL and the start-up messages of Nest', () => {
    const logger = loggerAt('warn');
    logger.log('not shown');
    logger.error('shown');
    new JsonLogger('info').log('Mapped {/health} route', 'RouterExplorer');
    new JsonLogger('debug').log('Mapped {/live} route', 'RouterExplorer');
    expect(records().map(({ level, message }) => [level, message])).toEqual([
      ['error', 'shown'],
      ['debug', 'Mapped {/live} route'],
    ]);
  });

  it('logs only the code of a database error, and no objects', () => {
    const failed = Object.assign(new Error('duplicate key: +14155550123'), {
      code: '23505',
      detail: 'Key (phone_number)=(+14155550123)',
    });
    const logger = loggerAt('info');
    logger.error(failed);
    logger.warn('Not stored', { phoneNumber: '+14155550123' });
    expect(written.join('')).not.toContain('4155550123');
    expect(String(records()[0]?.message)).toMatch(/^Error \(SQLSTATE 23505\)\n +at /);
  });

  it('adds the request id to every line, also when the body arrives later', async () => {
    const logger = loggerAt('info');
    const fastify = Fastify({ genReqId: (request) => String(request.headers['x-request-id']) });
    logRequestIds(fastify);
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      fastify.addHook('onRequest', async () => void (++count === 3 && resolve()));
    });
    fastify.post('/calls/:id', async ({ params }) => {
      addToLogContext({ callId: Number((params as { id: string }).id) });
      await new Promise((resolve) => setImmediate(resolve));
      logger.log('Inside');
      return {};
    });
    // A real server: an injected body does not come from a socket.
    const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
    const ask = async (id: number): Promise<void> => {
      const headers = { 'x-request-id': `request-${id}`, 'content-type': 'application/json' };
      const request = httpRequest(`${address}/calls/${id}`, { method: 'POST', headers });
      request.write('{"text":');
      await arrived;
      request.end('"Hello"}');
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
    };
    await Promise.all([ask(1), ask(2), ask(3)]);
    await fastify.close();
    logger.log('Outside');
    const seen = records().map(({ requestId, callId }) => `${String(requestId)} ${String(callId)}`);
    expect(seen.sort()).toEqual(['request-1 1', 'request-2 2', 'request-3 3', 'undefined undefined']);
  });

  it('adds the ids of a span where traces are on', async () => {
    const logger = loggerAt('info');
    await runInSpan('off', {}, async () => logger.log('Off'));
    spanContext.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new TracerProvider());
    try {
      await runInSpan('on', {}, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        logger.log('On');
      });
    } finally {
      trace.disable();
      spanContext.disable();
    }
    const [off, on] = records();
    expect([off?.traceId, off?.spanId]).toEqual([undefined, undefined]);
    expect(on).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('adds the ids of a job, without those of the request that started it', async () => {
    const logger = loggerAt('info');
    await runWithLogContext({ requestId: 'request-1' }, () =>
      runWithLogContext({ job: 'call-wrap-up', rowId: '7' }, async () => {
        await Promise.resolve();
        addToLogContext({ callId: 7 });
        logger.log('Wrapped up');
      }),
    );
    const [{ level, time, ...record } = {}] = records();
    expect([level, typeof time]).toEqual(['info', 'string']);
    expect(record).toEqual({
      job: 'call-wrap-up',
      rowId: '7',
      callId: 7,
      context: 'Dialer',
      message: 'Wrapped up',
    });
  });
});
