import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { ServerSupervisor, type SupervisorClock } from './server-supervisor.js';

class FakeServer {
  stops = 0;
  end: () => void = () => undefined;

  onUnexpectedExit(callback: () => void): void {
    this.end = callback;
  }

  async stop(): Promise<void> {
    this.stops += 1;
  }
}

describe('ServerSupervisor', () => {
  let time: number;
  let delays: number[];
  let servers: FakeServer[];
  let startsAgain: boolean[];
  let failures: Error[];
  let lines: string[];
  let given: string[];
  let clock: SupervisorClock;

  beforeEach(() => {
    time = 0;
    [delays, servers, startsAgain, failures, lines, given] = [[], [], [], [], [], []];
    clock = {
      now: () => time,
      sleep: async (ms) => {
        delays.push(ms);
        time += ms;
      },
    };
  });

  const keep = () =>
    ServerSupervisor.start({
      name: 'postgres',
      logFile: 'postgres.log',
      start: async (again) => {
        startsAgain.push(again);
        const failure = failures.shift();
        if (failure) throw failure;
        const server = new FakeServer();
        servers.push(server);
        return server;
      },
      log: (line) => lines.push(line),
      onGivenUp: (message) => given.push(message),
      clock,
    });

  async function endLast(): Promise<void> {
    servers.at(-1)?.end();
    for (let round = 0; round < 20; round += 1) await turn();
  }

  it('restarts a server that ends, and reports it', async () => {
    await keep();
    await endLast();
    expect(servers).toHaveLength(2);
    expect(startsAgain).toEqual([false, true]);
    expect(lines).toEqual([
      'the private postgres ended by itself and is started again: see postgres.log',
      'the private postgres is back',
    ]);
  });

  it('retries with a growing delay when a start fails', async () => {
    await keep();
    failures = [new Error('in use'), new Error('in use')];
    await endLast();
    expect(servers).toHaveLength(2);
    expect(delays).toEqual([100, 500, 1_000]);
    expect(given).toEqual([]);
  });

  it('ends after five starts within a minute, with the last reason', async () => {
    await keep();
    failures = Array.from({ length: 5 }, () => new Error('could not bind'));
    await endLast();
    expect(servers).toHaveLength(1);
    expect(given).toEqual([
      'The private postgres ended 6 times within a minute and is given up: could not bind',
    ]);
  });

  it('counts starts of the last minute only', async () => {
    await keep();
    for (let round = 0; round < 20; round += 1) {
      time += 20_000;
      await endLast();
    }
    expect(servers).toHaveLength(21);
    expect(given).toEqual([]);
  });

  it('starts nothing after it is stopped, also during a delay', async () => {
    const stopped = await keep();
    await stopped.stop();
    expect(servers[0]?.stops).toBe(1);
    clock.sleep = (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const pausing = await keep();
    await endLast();
    await pausing.stop();
    expect(servers).toHaveLength(2);
  });

  it('stops the server of a start in progress', async () => {
    const keeper = await keep();
    servers[0]?.end();
    await keeper.stop();
    expect(servers.at(-1)?.stops).toBe(1);
  });

  it('rethrows the failure of the first start', async () => {
    failures = [new Error('no binaries')];
    await expect(keep()).rejects.toThrow('no binaries');
  });
});
