import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../sandbox/journal.js';
import { startServer, type ServiceProcess } from './server-process.js';

export type { JournalEntry };

/** Credentials that the sandbox accepts and the service sends. */
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
    private readonly server: ServiceProcess,
    private readonly dataDir: string,
    private readonly env: Record<string, string>,
  ) {}

  /** @param dataDir of its journal */
  static async start(dataDir: string, given: Record<string, string> = {}): Promise<SandboxProcess> {
    const env = { SANDBOX_SPEED: '80', ...CREDENTIALS, ...given, DATA_DIR: dataDir };
    const server = await startServer(['dist/tooling/sandbox/main.js'], {
      env,
      portName: 'SANDBOX_PORT',
      ready: /\n/,
    });
    return new SandboxProcess(server, dataDir, env);
  }

  get url(): string {
    return this.server.url;
  }

  get pid(): number {
    return this.server.pid;
  }

  /** Settings of a service that uses the sandbox. */
  get serviceEnv(): Record<string, string> {
    const credentials = Object.keys(CREDENTIALS).map((name) => [name, this.env[name] ?? '']);
    return {
      ...(Object.fromEntries(credentials) as Record<string, string>),
      TWILIO_API_URL: this.url,
      LLM_BASE_URL: `${this.url}/v1`,
    };
  }

  /** Entries of the journal, oldest first. */
  journal(): JournalEntry[] {
    const lines = readFileSync(join(this.dataDir, 'sandbox-journal.jsonl'), 'utf8').split('\n');
    // The last line may be incomplete.
    return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as JournalEntry);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  kill(): Promise<void> {
    return this.server.kill();
  }
}

export interface Dial {
  sid: string;
  from: string;
  to: string;
  /** The token in the call's callback URLs; null without a callback. */
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
