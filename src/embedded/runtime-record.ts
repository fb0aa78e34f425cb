import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  currentProcess,
  isAlive,
  processRefOf,
  type ProcessRef,
  stopProcess,
  type StopStep,
} from './processes.js';

/** Mode 600. Atomic: a crash leaves the former content. */
export function writePrivateFile(path: string, content: string): void {
  const half = `${path}.${process.pid}.tmp`;
  writeFileSync(half, content, { mode: 0o600 });
  renameSync(half, path);
}

/** Null when there is no such file; any other error (permissions) is thrown. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A password of 48 hexadecimal digits, made at the first call and kept; it needs no escaping in a URL. */
export function readOrCreateSecret(path: string): string {
  const known = readPrivateFile(path);
  if (known !== null) return known;
  const secret = randomBytes(24).toString('hex');
  writePrivateFile(path, secret);
  return secret;
}

export interface RunningServer {
  /** Carries the password. */
  url: string;
  pid: number;
}

interface Content {
  url: string;
  ready: boolean;
  server: ProcessRef;
  owner: ProcessRef;
}

/** `DATA_DIR/<name>.json`: where an embedded server runs and for whom, so that the next process finds it. */
export class RuntimeRecord {
  private readonly path: string;

  constructor(
    dataDir: string,
    private readonly name: string,
  ) {
    this.path = join(resolve(dataDir), `${name}.json`);
  }

  write(url: string, pid: number, ready: boolean): void {
    const content: Content = { url, ready, server: processRefOf(pid), owner: currentProcess() };
    writePrivateFile(this.path, JSON.stringify(content));
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  /** The server, if it is ready and the process that started it is alive. */
  findRunning(): RunningServer | null {
    const found = this.read();
    if (!found?.ready || !isAlive(found.owner) || !isAlive(found.server)) return null;
    return { url: found.url, pid: found.server.pid };
  }

  /** Stops the server of a killed process. @throws while the process that started it is alive */
  async stopOrphan(steps: readonly StopStep[], log: (line: string) => void): Promise<void> {
    const found = this.read();
    if (!found) return;
    if (isAlive(found.server)) {
      if (isAlive(found.owner)) throw new Error(`${this.name} already runs for process ${found.owner.pid}.`);
      log(`stopping the ${this.name} server that a killed process left behind (pid ${found.server.pid})`);
      await stopProcess(found.server, steps);
    }
    this.remove();
  }

  private read(): Content | null {
    const text = readPrivateFile(this.path);
    return text === null ? null : (JSON.parse(text) as Content);
  }
}
