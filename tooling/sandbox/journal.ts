import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `speech` is the speech of each side and the part heard by the other one, to the character: `who` is `assistant` or
 * `callee`, `text` the played or spoken part. Of the assistant's speech `heard` is the part that the carrier reports,
 * up to a whole word, `whole` is false after an interruption, and `from` is its start (Unix time in ms); of the
 * callee's `reported` is false without a transcription, and `whole` is false where the call ended in the speech; `key`
 * is a key of the assistant. `refusal`: the carrier refused a document or a frame (`what`, `why`). `call`: the state of
 * a call. `number`: a number was `bought`, `changed` or `released` (`what`), with its state since. `stall`: the carrier
 * played and sent audio `ms` too late, a new maximum of this stream. `voices`: a media stream is over; when each side
 * was audible, in milliseconds of its audio. `socket-lost`: a call's WebSocket broke, when the carrier detects it.
 * `download`: a recording was fetched, `whole` unless the client or a fault aborted it.
 */
export type JournalKind =
  | 'dial'
  | 'inbound'
  | 'message'
  | 'callback'
  | 'speech'
  | 'refusal'
  | 'call'
  | 'number'
  | 'download'
  | 'recording-deletion'
  | 'socket-lost'
  | 'voices'
  | 'stall';

export interface JournalSubject {
  sid: string;
  from: string;
  to: string;
}

export interface JournalEntry extends JournalSubject {
  at: string;
  kind: JournalKind;
  [detail: string]: unknown;
}

/**
 * A log of all events on the network. A line is written synchronously before the carrier responds, so that it exists
 * when the process is killed right after the response.
 */
export class Journal {
  private memory: string[] = [];
  /** Reports about deleted calls and messages may still follow. */
  private readonly forgotten = new Set<string>();
  private readonly fd: number | null;
  private closed = false;

  constructor(private readonly file?: string) {
    if (file === undefined) {
      this.fd = null;
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    this.fd = openSync(file, 'a+', 0o600);
    // A line torn by a kill must not corrupt the next one.
    const text = readFileSync(file, 'utf8');
    if (text !== '' && !text.endsWith('\n')) writeSync(this.fd, '\n');
  }

  write(kind: JournalKind, subject: JournalSubject, details: Record<string, unknown> = {}): void {
    // Calls interrupted by the end of the process still report the heard part.
    if (this.closed) return;
    const { sid, from, to } = subject;
    if (this.forgotten.has(sid)) return;
    const line = JSON.stringify({ at: new Date().toISOString(), kind, sid, from, to, ...details });
    if (this.fd === null) this.memory.push(line);
    else writeSync(this.fd, `${line}\n`);
  }

  /** All entries, oldest first; invalid lines are left out. */
  all(): JournalEntry[] {
    return this.lines().flatMap(parseLine);
  }

  /** Removes the entries of a deleted call or message. */
  forget(sid: string): void {
    this.forgotten.add(sid);
    const kept = this.lines().filter((line) => line !== '' && parseLine(line)[0]?.sid !== sid);
    if (this.fd === null) this.memory = kept;
    else {
      ftruncateSync(this.fd);
      writeSync(this.fd, kept.map((line) => `${line}\n`).join(''));
    }
  }

  private lines(): string[] {
    return this.file === undefined ? this.memory : readFileSync(this.file, 'utf8').split('\n');
  }

  close(): void {
    this.closed = true;
    if (this.fd !== null) closeSync(this.fd);
  }
}

function parseLine(line: string): JournalEntry[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as JournalEntry];
  } catch {
    return [];
  }
}
