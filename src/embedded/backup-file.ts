import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** First line of the file, before the manifest. */
const MAGIC = 'voice-assistant-calling-service backup 1';
/** SHA-256 of all bytes before it, at the end. */
const HASH_BYTES = 32;
const MAX_LINE_BYTES = 64 * 1024;
const COMPRESSION_LEVEL = 1;

/** The second line of the file, as JSON. */
export interface BackupManifest {
  /** Of the service. */
  version: string;
  createdAt: string;
  /** Names of the applied migrations, oldest first. */
  migrations: string[];
  /** Version of the server's binaries, e.g. `18.4.0`. */
  postgres: string;
  /** Of the binaries, e.g. `linux-x64`: data of one cannot be opened by another. */
  platform: string;
}

/** A folder, or a file with its content. */
export interface BackupEntry {
  /** Relative, with slashes. */
  path: string;
  /** Null: a folder. */
  size: number | null;
}

/** A content has exactly the bytes of its entry's size. */
export type BackupContent = BackupEntry & { content: AsyncIterable<Buffer> };

/** The file cannot be restored; the message says why. */
export class BackupFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file} ${problem}`);
    this.name = 'BackupFileError';
  }
}

/**
 * Writes a file of mode 600 that appears when it is complete.
 *
 * @throws BackupFileError: there is such a file already
 */
export async function writeBackupFile(
  file: string,
  manifest: BackupManifest,
  entries: AsyncIterable<BackupContent>,
): Promise<void> {
  const draft = `${file}.${process.pid}.partial`;
  const out = await open(draft, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const write = async (bytes: Buffer): Promise<void> => {
      hash.update(bytes);
      await out.writeFile(bytes);
    };
    await write(Buffer.from(`${MAGIC}\n${JSON.stringify(manifest)}\n`));
    await pipeline(
      Readable.from(toBytes(entries)),
      createGzip({ level: COMPRESSION_LEVEL }),
      async (zipped) => {
        for await (const chunk of zipped as AsyncIterable<Buffer>) await write(chunk);
      },
    );
    await out.writeFile(hash.digest());
    await out.sync();
    // Fails where the file exists, unlike a renaming.
    await link(draft, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new BackupFileError(file, 'exists. Give the name of a new file.');
    });
  } finally {
    await out.close();
    await rm(draft, { force: true });
  }
}

async function* toBytes(entries: AsyncIterable<BackupContent>): AsyncGenerator<Buffer> {
  for await (const { path, size, content } of entries) {
    yield Buffer.from(`${JSON.stringify({ path, size })}\n`);
    yield* content;
  }
}

/** Reads the whole file. @throws BackupFileError: it is no backup, or not all of it as it was written */
export async function checkBackupFile(file: string): Promise<BackupManifest> {
  const { manifest, start, end } = await readHead(file);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { end: end - 1 }), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) hash.update(chunk);
  }).catch(cannotBeRead(file));
  const stored = await readAt(file, end, HASH_BYTES);
  if (start >= end || !hash.digest().equals(stored))
    throw new BackupFileError(file, 'is damaged or not complete: its checksum is wrong.');
  return manifest;
}

/**
 * The entries of a file that was checked, in order; the content of one must be read before the next.
 *
 * @throws BackupFileError
 */
export async function* readBackupFile(file: string): AsyncGenerator<BackupContent> {
  const { start, end } = await readHead(file);
  const unzipped = createGunzip();
  // An error of either stream is one of the last, whose reader gets it.
  void pipeline(createReadStream(file, { start, end: end - 1 }), unzipped).catch(() => undefined);
  const reader = new ByteReader(unzipped, file);
  try {
    for (;;) {
      const line = await reader.readLine(MAX_LINE_BYTES);
      if (line === null) return;
      const entry = toEntry(file, line);
      yield { ...entry, content: reader.read(entry.size ?? 0) };
    }
  } finally {
    unzipped.destroy();
  }
}

function toEntry(file: string, line: string): BackupEntry {
  try {
    const entry = JSON.parse(line) as BackupEntry;
    if (isSafePath(entry.path)) return entry;
  } catch {
    // It is no entry.
  }
  throw new BackupFileError(file, 'is damaged: it names a file that no database has.');
}

/** It stays within the folder that it is unpacked into. */
const isSafePath = (path: string): boolean =>
  !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

async function readHead(file: string): Promise<{ manifest: BackupManifest; start: number; end: number }> {
  const { size } = await stat(file).catch(cannotBeRead(file));
  const head = await readAt(file, 0, Math.min(size, MAX_LINE_BYTES));
  const [magic, text] = head.toString('utf8').split('\n', 2);
  if (magic !== MAGIC || text === undefined) throw new BackupFileError(file, 'is no backup of this version.');
  try {
    const manifest = JSON.parse(text) as BackupManifest;
    return { manifest, start: Buffer.byteLength(`${magic}\n${text}\n`), end: size - HASH_BYTES };
  } catch {
    throw new BackupFileError(file, 'is damaged: its head cannot be read.');
  }
}

async function readAt(file: string, position: number, length: number): Promise<Buffer> {
  const handle: FileHandle = await open(file, 'r').catch(cannotBeRead(file));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, length)), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    return cannotBeRead(file)(error);
  } finally {
    await handle.close();
  }
}

const cannotBeRead =
  (file: string) =>
  (error: unknown): never => {
    throw new BackupFileError(file, `cannot be read: ${(error as Error).message}`);
  };

/** Lines and blocks of a stream. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    stream: Readable,
    private readonly file: string,
  ) {
    this.chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** Null: the stream is over. */
  async readLine(maxBytes: number): Promise<string | null> {
    for (;;) {
      const end = this.rest.indexOf(0x0a);
      if (end >= 0) return this.take(end + 1).toString('utf8', 0, end);
      if (this.rest.length > maxBytes) throw this.damaged('a line is too long');
      if (!(await this.fill())) return null;
    }
  }

  async *read(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.rest.length === 0 && !(await this.fill())) throw this.damaged('it ends too early');
      const part = this.take(Math.min(left, this.rest.length));
      left -= part.length;
      yield part;
    }
  }

  private take(length: number): Buffer {
    const part = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return part;
  }

  private async fill(): Promise<boolean> {
    const { value, done } = await this.chunks.next().catch((error: unknown) => {
      throw new BackupFileError(this.file, `cannot be unpacked: ${(error as Error).message}`);
    });
    if (done) return false;
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value]);
    return true;
  }

  private damaged(how: string): BackupFileError {
    return new BackupFileError(this.file, `is damaged: ${how}.`);
  }
}
