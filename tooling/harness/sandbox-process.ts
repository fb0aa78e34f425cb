import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../sandbox/journal.js';
import { freePort } from '#src/embedded/free-port.js';

export type { JournalEntry };

/** What the sandbox accepts, and the service presents. */
export const CARRIER = { accountSid: `AC${'f'.repeat(32)}`, authToken: 'faults-token', apiKey: 'faults-key' };

const CREDENTIALS = {
  TWILIO_ACCOUNT_SID: CARRIER.accountSid,
  TWILIO_AUTH_TOKEN: CARRIER.authToken,
  LLM_API_KEY: CARRIER.apiKey,
  CARRIER_CALLS_PER_SECOND: '1000',
};

const TOKEN = /\/telephony\/(?:answer|status|amd)\/([^/?]+)/;

/** The sandbox in its own process, with its journal in a file. */
export class SandboxProcess {
  private constructor(
    readonly url: string,
    readonly process: ChildProcess,
    private readonly dataDir: string,
  ) {}

  /** @param dataDir of its journal */
  static async start(dataDir: string, env: Record<string, string> = {}): Promise<SandboxProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/tooling/sandbox/main.js'], {
      env: {
        SANDBOX_SPEED: '80',
        ...CREDENTIALS,
        ...env,
        DATA_DIR: dataDir,
        PATH: process.env.PATH,
        SANDBOX_PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const sandbox = new SandboxProcess(`http://127.0.0.1:${port}`, child, dataDir);
    process.once('exit', () => child.kill('SIGKILL'));
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the sandbox did not start'))),
    ]);
    return sandbox;
  }

  /** Settings of a service that uses it. */
  get serviceEnv(): Record<string, string> {
    return { ...CREDENTIALS, TWILIO_API_URL: this.url, LLM_BASE_URL: `${this.url}/v1` };
  }

  /** Entries of the journal, oldest first. */
  journal(): JournalEntry[] {
    const lines = readFileSync(join(this.dataDir, 'sandbox-journal.jsonl'), 'utf8').split('\n');
    // The last line may be incomplete.
    return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as JournalEntry);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await exited;
  }
}

export interface Dial {
  sid: string;
  from: string;
  to: string;
  /** The token in the call's callback URLs; null when there was no callback. */
  token: string | null;
}

/** All dials, with the token of their attempt. */
export function dialsOf(journal: JournalEntry[]): Dial[] {
  const tokens = new Map<string, string>();
  for (const { kind, sid, url } of journal) {
    const token = kind === 'callback' ? TOKEN.exec(String(url))?.[1] : undefined;
    if (token !== undefined) tokens.set(sid, decodeURIComponent(token));
  }
  return journal
    .filter(({ kind }) => kind === 'dial')
    .map(({ sid, from, to }) => ({ sid, from, to, token: tokens.get(sid) ?? null }));
}
