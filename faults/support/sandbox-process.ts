import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../sandbox/journal.js';
import { freePort } from '#src/embedded/free-port.js';

export type { JournalEntry };

const TOKEN = /\/telephony\/(?:answer|status|amd)\/([^/?]+)/;

/** The carrier and the model as a process of their own, with their journal in a file. */
export class SandboxProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {}

  static async start(env: Record<string, string>, dataDir: string): Promise<SandboxProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/sandbox/main.js'], {
      env: { ...env, DATA_DIR: dataDir, PATH: process.env.PATH, SANDBOX_PORT: String(port) },
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

  /** What physically happened on the network, oldest first. */
  journal(): JournalEntry[] {
    const lines = readFileSync(join(this.dataDir, 'sandbox-journal.jsonl'), 'utf8').split('\n');
    // The last line may be half written.
    return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as JournalEntry);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}

export interface Dial {
  sid: string;
  from: string;
  to: string;
  /** What the service named the call's attempt in its callback addresses; null: no callback was ever tried. */
  token: string | null;
}

/** Every telephone that rang, with the attempt that it rang for. */
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
