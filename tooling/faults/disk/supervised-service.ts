import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#src/embedded/free-port.js';
import { startService, type ServiceProcess } from '../../harness/server-process.js';

const PAUSE_MS = 1_000;

/** The service with a supervisor that restarts it when it ends. */
export class SupervisedService {
  private current: ServiceProcess | null = null;
  private stopping = false;
  private supervision: Promise<void> = Promise.resolve();
  /** Number of exits and failed starts. */
  ends = 0;

  private constructor(
    readonly url: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(env: Record<string, string>): Promise<SupervisedService> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = new SupervisedService(url, { ...env, PORT: String(port), PUBLIC_URL: url });
    service.current = await startService(service.env);
    service.supervision = service.supervise();
    return service;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.current?.process.kill('SIGTERM');
    await this.supervision;
  }

  private async supervise(): Promise<void> {
    while (!this.stopping) {
      await this.current?.exited;
      if (this.stopping) return;
      this.ends++;
      await sleep(PAUSE_MS);
      this.current = await startService(this.env).catch(() => null);
    }
    await this.current?.stop();
  }
}
