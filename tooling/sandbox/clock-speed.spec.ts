import { describe, expect, it } from '@jest/globals';
import { ClockSpeed } from './clock-speed.js';

/** The process is blocked for this time. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('ClockSpeed', () => {
  it.each([0, -1, NaN])('refuses the speed %d', (speed) => {
    expect(() => new ClockSpeed(speed)).toThrow('above 0');
  });

  it('does not count time in which the process does not run, while something waits', async () => {
    const clock = new ClockSpeed(1);
    const begin = clock.now();
    const sleeping = clock.sleep(100);
    const paused = clock.now();
    pause(300);
    expect(clock.now() - paused).toBeCloseTo(40);
    await sleeping;
    // A timer may run a millisecond early.
    expect(clock.now() - begin).toBeGreaterThanOrEqual(99);
  });

  it('resumes in the order of simulated time, also after a pause', async () => {
    const clock = new ClockSpeed(10);
    const woken: number[] = [];
    const all = [500, 200, 350].map((ms) => clock.sleep(ms).then(() => woken.push(ms)));
    pause(200);
    await Promise.all(all);
    expect(woken).toEqual([200, 350, 500]);
  });

  it('ends a sleep with its signal', async () => {
    const over = new AbortController();
    const sleeping = new ClockSpeed(1).sleep(3_600_000, over.signal);
    over.abort(new Error('over'));
    await expect(sleeping).rejects.toThrow('over');
    await expect(new ClockSpeed(1).sleep(1, over.signal)).rejects.toThrow('over');
  });
});
