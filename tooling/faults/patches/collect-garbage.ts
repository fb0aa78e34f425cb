/** Runs a full garbage collection on SIGUSR2, so that heap sizes can be compared. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
// Without the signal's arguments: any argument would limit gc() to the young generation.
process.on('SIGUSR2', () => collect());
