import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1024, 1);

/** A small file system in memory. */
export class SmallDisk {
  private readonly ballast: string;

  private constructor(readonly path: string) {
    this.ballast = join(path, 'ballast');
  }

  /** Null without permission to mount. */
  static mount(megabytes: number): SmallDisk | null {
    const path = mkdtempSync(join(tmpdir(), 'calls-faults-disk-'));
    // Postgres runs as another user.
    const options = `size=${megabytes}m,mode=755`;
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
    if (status === 0) return new SmallDisk(path);
    rmSync(path, { recursive: true, force: true });
    return null;
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Fills the disk up to the given free space. */
  fill(leave: number): void {
    const file = openSync(this.ballast, 'a');
    try {
      while (this.freeBytes() > leave + CHUNK.length) writeSync(file, CHUNK);
    } finally {
      closeSync(file);
    }
  }

  release(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    // Lazy unmount: a process that is ending may have a file open.
    spawnSync('umount', ['-l', this.path], { stdio: 'ignore' });
    rmSync(this.path, { recursive: true, force: true });
  }
}
