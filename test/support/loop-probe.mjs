/**
 * Loaded into a service before its own code: the most CPU time that one turn of its event loop took, and that of all
 * turns since the last time, in ms, written to `LOOP_PROBE_FILE` at each SIGUSR2. Not the time of the clock, which on a busy machine is mostly that of others, and
 * only that of the main thread: those of the garbage collector work beside it.
 */
import { closeSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.LOOP_PROBE_FILE ?? '';
/** Its first number is the thread's CPU time in ns, see proc_pid_schedstat(5). */
const thread = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const buffer = Buffer.alloc(64);
const cpuMs = () =>
  Number(buffer.toString('latin1', 0, readSync(thread, buffer, 0, 64, 0)).split(' ')[0]) / 1e6;
process.on('exit', () => closeSync(thread));

let longest = 0;
let last = cpuMs();
let since = last;

const tick = () => {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
};
setInterval(tick, 1).unref();
process.on('SIGUSR2', () => {
  tick();
  writeFileSync(`${file}.new`, JSON.stringify({ loopMs: longest, cpuMs: last - since }));
  renameSync(`${file}.new`, file);
  longest = 0;
  since = last;
});
