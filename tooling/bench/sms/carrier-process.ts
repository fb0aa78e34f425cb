import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The process of `carrier.ts`. */
export interface CarrierProcess {
  url: string;
  stop(): Promise<void>;
}

export async function startCarrier(): Promise<CarrierProcess> {
  const child = fork(fileURLToPath(new URL('./carrier.js', import.meta.url)), { stdio: 'inherit' });
  const exited = once(child, 'exit');
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
