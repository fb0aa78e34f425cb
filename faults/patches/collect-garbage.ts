/** Collects all garbage at SIGUSR2, so that what the heap holds can be compared between two moments. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
// With an argument it would collect the young generation only.
process.on('SIGUSR2', () => collect());
