import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#src/embedded/free-port.js';
import { SandboxProcess } from '../../tooling/harness/sandbox-process.js';
import { Client } from './client.js';
import { run, type Outcome } from './command.js';
import { startService, type ServiceProcess } from './service.js';

interface Demo {
  base_url: string;
  accounts: { token: string; campaign_id: number; phone_numbers: { phone_number: string }[] }[];
}

/** A service with a private database, as `npm start` has it, and a carrier in another process. */
export class PrivateInstallation {
  private constructor(
    readonly dataDir: string,
    readonly sandbox: SandboxProcess,
    private readonly env: Record<string, string>,
    public service: ServiceProcess,
  ) {}

  static async start(): Promise<PrivateInstallation> {
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-private-'));
    // As root the database runs as another user, who must get in.
    chmodSync(dataDir, 0o755);
    const sandbox = await SandboxProcess.start(dataDir);
    const env = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      DUE_ROWS_MS: '300',
      ...sandbox.serviceEnv,
    };
    return new PrivateInstallation(dataDir, sandbox, env, await startService(env));
  }

  async restart(): Promise<void> {
    this.service = await startService(this.env);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.sandbox.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** A command of an operator. */
  cli(...args: string[]): Promise<Outcome> {
    const { PATH, HOME } = process.env;
    return run('dist/src/cli/main.js', args, { PATH, HOME, ...this.env });
  }

  /** As `cli`, with `--json`. @throws Error: it failed */
  async json<T>(...args: string[]): Promise<T> {
    const { code, output, problem } = await this.cli(...args, '--json');
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${problem}`);
    return JSON.parse(output) as T;
  }

  /** Of the demo account, which has an assistant, numbers and a campaign. */
  get demo(): { client: Client; campaignId: number; number: string } {
    const { base_url, accounts } = this.demoFile;
    const [first] = accounts;
    if (!first) throw new Error('there is no demo account');
    const number = first.phone_numbers[0]?.phone_number ?? '';
    return { client: new Client(first.token, base_url), campaignId: first.campaign_id, number };
  }

  /** A POST of the demo account with an empty body. */
  async post(path: string): Promise<{ status: number; retryAfter: string | null; body: unknown }> {
    const { base_url, accounts } = this.demoFile;
    const answer = await fetch(base_url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${accounts[0]?.token ?? ''}` },
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
    };
  }

  private get demoFile(): Demo {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  /** Numbers that the carrier has dialled, oldest first. */
  dialled(): string[] {
    return this.sandbox
      .journal()
      .filter(({ kind }) => kind === 'dial')
      .map(({ to }) => to);
  }
}
