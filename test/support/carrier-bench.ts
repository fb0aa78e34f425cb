import pg from 'pg';
import { Carrier } from './carrier.js';
import { startCarrierProcesses, type CarrierProcesses } from './carrier-processes.js';
import { databaseUrl } from './database.js';
import { startService } from './service.js';

export type { NetworkEvent } from './carrier.js';

/** A carrier with a service of its own, which can be started with other settings, and again. */
export class CarrierBench extends Carrier {
  private env: Record<string, string>;

  private constructor(private readonly processes: CarrierProcesses) {
    const { postgresUrl } = processes;
    super(processes, new pg.Pool({ connectionString: postgresUrl, max: 2, allowExitOnIdle: true }));
    this.env = processes.env;
  }

  /**
   * @param proxy starts a proxy for the carrier's address and returns its own
   * @param speed of the callees; what is heard of speech that is cut shows at 1, which the service assumes
   */
  static async start(
    proxy: (carrierUrl: string) => Promise<string> = async (url) => url,
    speed = 80,
    settings: Record<string, string> = {},
  ): Promise<CarrierBench> {
    return new CarrierBench(await startCarrierProcesses(databaseUrl(), proxy, speed, settings));
  }

  /** Settings of an operator's command. */
  get commandEnv(): Record<string, string> {
    return { ...this.env, PUBLIC_URL: this.serviceUrl };
  }

  /** Of the service and of its carrier. */
  get dataDir(): string {
    return this.env['DATA_DIR'] ?? '';
  }

  /** What the service has logged since its last start. */
  get log(): string {
    return this.processes.service.output();
  }

  async stop(): Promise<void> {
    await this.processes.service.stop();
    this.processes.stopCarrier();
    await this.db.end();
  }

  /** SIGTERM. @returns the exit code, when the process has ended */
  terminate(): Promise<number | null> {
    this.processes.service.process.kill('SIGTERM');
    return this.processes.service.exited;
  }

  /**
   * @param how `stop` as an operator stops a service, `kill` as its machine does
   * @param settings that differ from now on
   * @param away what happens while nobody answers
   */
  async restart(
    how: 'stop' | 'kill',
    settings: Record<string, string> = {},
    away: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    this.env = { ...this.env, ...settings };
    await this.processes.service[how]();
    await away();
    this.processes.service = await startService(this.env);
  }
}
