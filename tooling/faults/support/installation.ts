import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { freePort } from '#src/embedded/free-port.js';
import { startService, type ServiceProcess } from '../../harness/server-process.js';
import { SandboxProcess, type JournalEntry } from '../../harness/sandbox-process.js';

const log = (): void => undefined;

/** A module in `faults/patches` that the service loads with `--import`. */
export type Patch =
  | 'collect-garbage'
  | 'dying-reader'
  | 'exact-names'
  | 'joined-decimals'
  | 'one-queue'
  | 'one-step-reports'
  | 'quadratic-form'
  | 'rewriting-tools'
  | 'sure-machines'
  | 'throwing-tools'
  | 'unbounded-lines'
  | 'unlimited-visitors';

interface InstallationOptions {
  patches?: readonly Patch[];
  /** A module in `faults/broken`, loaded like a patch. */
  broken?: string | null;
  env?: Record<string, string>;
  /** `SANDBOX_SPEED`. */
  sandboxSpeed?: number;
}

/** The service in one process; Postgres, Redis and sandbox are separate processes. */
export class Installation {
  private readonly stops: (() => Promise<unknown>)[] = [];
  private service: ServiceProcess | null = null;
  private env: Record<string, string> = {};
  databaseUrl = '';
  /** Entries of the sandbox's journal, oldest first. */
  journal: () => JournalEntry[] = () => [];
  sandboxUrl = '';
  /** Without a path. */
  url = '';

  private constructor(readonly dataDir: string) {}

  static async start(options: InstallationOptions = {}): Promise<Installation> {
    const installation = new Installation(mkdtempSync(join(tmpdir(), 'calls-faults-')));
    try {
      await installation.open(options);
      return installation;
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.service?.pid ?? 0;
  }

  get alive(): boolean {
    return this.service?.process.exitCode === null && this.service.process.signalCode === null;
  }

  /** kill -9, then a restart on the same port. */
  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await startService(this.env);
  }

  output(): string {
    return this.service?.output() ?? '';
  }

  async stop(): Promise<void> {
    // SIGKILL, because a blocked service does not handle SIGTERM.
    await this.service?.kill();
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }

  private async open({
    patches = [],
    broken = null,
    env = {},
    sandboxSpeed = 80,
  }: InstallationOptions): Promise<void> {
    const { dataDir } = this;
    this.stops.push(async () => rmSync(dataDir, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    this.stops.push(() => postgres.stop());
    const redis = await startEmbeddedRedis({ dataDir, log });
    this.stops.push(async () => redis?.stop());
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.databaseUrl = postgres.url;
    const sandbox = await SandboxProcess.start(dataDir, { SANDBOX_SPEED: String(sandboxSpeed) });
    this.journal = () => sandbox.journal();
    this.stops.push(() => sandbox.stop());
    this.sandboxUrl = sandbox.url;
    this.env = {
      ...sandbox.serviceEnv,
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ...(redis ? { REDIS_URL: redis.url } : {}),
      PORT: String(port),
      PUBLIC_URL: this.url,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: [...patches.map(patchUrl), ...(broken === null ? [] : [moduleUrl(`broken/${broken}`)])]
        .map((url) => `--import ${url}`)
        .join(' '),
      ...env,
    };
    this.service = await startService(this.env);
    // Read by the test factories.
    process.env.E2E_BASE_URL = this.url;
    process.env.E2E_DATABASE_URL = postgres.url;
  }
}

const moduleUrl = (module: string): string => new URL(`../${module}.js`, import.meta.url).href;
const patchUrl = (patch: Patch): string => moduleUrl(`patches/${patch}`);
