import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `speech` tells what each side said and the other one heard, to the character: `who` is `assistant` or `callee`,
 * `text` what was played or said. Of the assistant's speech `heard` is the part that the carrier tells, up to a whole
 * word, `whole` is false when it was cut short, and `from` tells when it began (Unix time in ms); of the callee's `reported` is false when nobody transcribes it;
 * `key` is one that the assistant pressed.
 * `refusal`: the carrier did not do what a document or a frame said (`what`, `why`). `call`: how a call stands.
 * `number`: a number was `bought`, `changed` or `released` (`what`), with how it stands since.
 * `stall`: the carrier played and sent audio `ms` too late, more than ever before in this stream.
 * `socket-lost`: a call's WebSocket broke, as far as the carrier has noticed.
 * `download`: a recording was fetched, `whole` unless the client or a fault broke it off.
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
 * A log of everything that happened on the network. A line is written synchronously before the carrier answers, so
 * that it exists when the process is killed right after the answer.
 */
export class Journal {
  private readonly memory: string[] = [];
  private readonly fd: number | null;
  private closed = false;

  constructor(private readonly file?: string) {
    if (file === undefined) {
      this.fd = null;
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    this.fd = openSync(file, 'a+', 0o600);
    // A line torn by a kill must not swallow the next one.
    const text = readFileSync(file, 'utf8');
    if (text !== '' && !text.endsWith('\n')) writeSync(this.fd, '\n');
  }

  write(kind: JournalKind, subject: JournalSubject, details: Record<string, unknown> = {}): void {
    // Calls that the end of the process cuts short still report what was heard.
    if (this.closed) return;
    const { sid, from, to } = subject;
    const line = JSON.stringify({ at: new Date().toISOString(), kind, sid, from, to, ...details });
    if (this.fd === null) this.memory.push(line);
    else writeSync(this.fd, `${line}\n`);
  }

  /** Everything, oldest first; lines that do not parse are left out. */
  all(): JournalEntry[] {
    const lines = this.file === undefined ? this.memory : readFileSync(this.file, 'utf8').split('\n');
    return lines.flatMap(parseLine);
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
