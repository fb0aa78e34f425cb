import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { MetricsService } from '#src/metrics/metrics.service.js';
import type { TurnMessage, TurnQuestion } from './turn-model-messages.js';
import { TurnModelService, type TurnModelThread } from './turn-model.service.js';

/** A thread whose messages the test sends. */
class FakeThread extends EventEmitter {
  readonly questions: TurnQuestion[] = [];
  isTerminated = false;

  postMessage(question: TurnQuestion): void {
    this.questions.push(question);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 0;
  }

  unref(): void {}

  send(message: TurnMessage): void {
    this.emit('message', message);
  }

  answer(probability: number | null, failure?: string): void {
    const id = this.questions.at(-1)?.id ?? 0;
    this.send({ kind: 'answer', id, probability, ...(failure !== undefined && { failure }) });
  }
}

class ServiceWithThread extends TurnModelService {
  readonly fakeThread = new FakeThread();

  protected override startThread(): TurnModelThread {
    return this.fakeThread as unknown as TurnModelThread;
  }
}

const audio = () => ({ samples: new Int16Array(160), sampleRate: 8_000 });
let registry: Registry;
let warnings: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  jest.useFakeTimers();
  registry = new Registry();
  Logger.overrideLogger(false);
  warnings = jest.spyOn(Logger.prototype, 'warn');
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const created = (turnModel: string | null = '/models/turn.onnx', role = 'all'): ServiceWithThread =>
  new ServiceWithThread({ role, speech: { turnModel } } as RuntimeSettings, { registry } as MetricsService);

async function started(trialMs = 10): Promise<ServiceWithThread> {
  const service = created();
  const init = service.onModuleInit();
  service.fakeThread.send({ kind: 'ready', trialMs });
  await init;
  return service;
}

const countOf = async (outcome: string): Promise<number> =>
  Number(
    new RegExp(`turn_model_answers_total{outcome="${outcome}"} (\\d+)`).exec(await registry.metrics())?.[1] ??
      0,
  );

describe('TurnModelService', () => {
  it.each([
    [1, 'complete'],
    [0.7, 'complete'],
    [0.69, 'unsure'],
    [0.31, 'unsure'],
    [0.3, 'incomplete'],
    [0, 'incomplete'],
  ])('takes a probability of %d for %s', async (probability, verdict) => {
    const service = await started();
    const classified = service.classify(audio());
    service.fakeThread.answer(probability);
    expect(await classified).toBe(verdict);
    expect(await countOf(verdict)).toBe(1);
  });

  it('ignores an answer after 100 ms', async () => {
    const service = await started();
    const classified = service.classify(audio());
    await jest.advanceTimersByTimeAsync(101);
    expect(await classified).toBeNull();
    service.fakeThread.answer(1);
    expect([await countOf('late'), await countOf('complete')]).toEqual([1, 0]);
  });

  it('asks no more than eight questions at a time, also of a thread that hangs', async () => {
    const service = await started();
    const all = Array.from({ length: 20 }, () => service.classify(audio()));
    await jest.advanceTimersByTimeAsync(101);
    expect(await Promise.all(all)).toEqual(Array(20).fill(null));
    void service.classify(audio());
    expect([service.fakeThread.questions.length, await countOf('late')]).toEqual([8, 21]);
    service.fakeThread.answer(null);
    void service.classify(audio());
    expect(service.fakeThread.questions).toHaveLength(9);
  });

  it('goes on when the model fails, and warns once', async () => {
    const service = await started();
    for (let times = 0; times < 3; times += 1) {
      const classified = service.classify(audio());
      service.fakeThread.answer(null, 'out of range');
      expect(await classified).toBeNull();
    }
    expect([await countOf('failed'), warnings.mock.calls.length]).toEqual([3, 1]);
  });

  it('goes on without the model when its thread ends', async () => {
    const service = await started();
    const classified = service.classify(audio());
    service.fakeThread.emit('error', new Error('out of memory'));
    expect(await classified).toBeNull();
    expect(await service.classify(audio())).toBeNull();
    expect([service.fakeThread.questions.length, await countOf('failed')]).toEqual([1, 2]);
  });

  it('warns of a model that is too slow', async () => {
    await started(140);
    expect(warnings).toHaveBeenCalledWith(expect.stringContaining('100 ms'));
  });

  it('refuses to start with a file that is no model', async () => {
    const service = created();
    const init = service.onModuleInit();
    service.fakeThread.send({ kind: 'refused', reason: 'must have one input' });
    await expect(init).rejects.toThrow(/TURN_MODEL: \/models\/turn\.onnx must have one input; see docs/);
    expect(service.fakeThread.isTerminated).toBe(true);
  });

  it('refuses to start when the thread ends at once', async () => {
    const service = created();
    const init = service.onModuleInit();
    service.fakeThread.emit('exit', 1);
    await expect(init).rejects.toThrow(/TURN_MODEL/);
  });

  it.each([
    ['without the setting', null, 'all'],
    ['in a process that holds no calls', '/models/turn.onnx', 'worker'],
  ])('starts no thread %s', async (_, path, role) => {
    const service = created(path, role);
    await service.onModuleInit();
    expect([service.isSet, service.fakeThread.listenerCount('message'), await registry.metrics()]).toEqual([
      false,
      0,
      '\n',
    ]);
  });
});
