/**
 * Loaded into a service before its own code: the most CPU time that one turn of its event loop took, in ms, written to
 * `LOOP_PROBE_FILE` at each SIGUSR2. Not the time of the clock, which on a busy machine is mostly that of others.
 */
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env.LOOP_PROBE_FILE ?? '';
let longest = 0;
let last = process.cpuUsage();

const tick = () => {
  const { user, system } = process.cpuUsage(last);
  longest = Math.max(longest, (user + system) / 1000);
  last = process.cpuUsage();
};
setInterval(tick, 1).unref();
process.on('SIGUSR2', () => {
  tick();
  writeFileSync(`${file}.new`, String(longest));
  renameSync(`${file}.new`, file);
  longest = 0;
});
