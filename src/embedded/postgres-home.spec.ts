import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  locatePostgresBinaries,
  createLibraryLinks,
  type PostgresBinaries,
  canRunAsUser,
  isRoot,
} from './postgres-home.js';
import { choosePostgresHome } from './postgres-home.js';

// Real processes on a busy machine.
describe('the binaries of Postgres', () => {
  let base: string;
  let copy: PostgresBinaries;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'postgres-binaries-'));
    chmodSync(base, 0o755);
    const installed = locatePostgresBinaries();
    copy = { nativeDir: join(base, 'private', 'package', 'native'), version: installed.version };
    mkdirSync(join(base, 'private'), { mode: 0o700 });
    cpSync(installed.nativeDir, copy.nativeDir, { recursive: true, verbatimSymlinks: true });
  });

  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('restore the links that a blocked install script does not create', () => {
    const lib = join(copy.nativeDir, 'lib');
    const links = readdirSync(lib).filter((name) => lstatSync(join(lib, name)).isSymbolicLink());
    for (const name of links) rmSync(join(lib, name));
    createLibraryLinks(copy.nativeDir);
    createLibraryLinks(copy.nativeDir);
    expect(spawnSync(join(copy.nativeDir, 'bin', 'initdb'), ['--version']).status).toBe(0);
    for (const name of links) expect(lstatSync(join(lib, name)).isSymbolicLink()).toBe(true);
  });

  it('are copied to where the user of the server can run them', () => {
    const dataDir = join(base, 'data');
    mkdirSync(dataDir);
    const home = choosePostgresHome(dataDir, copy, [join(base, 'shared')]);
    expect(home.dataPath).toBe(join(dataDir, 'postgres'));
    expect(home.binDir.startsWith(join(base, isRoot() ? 'shared' : 'private'))).toBe(true);
    if (home.user) expect(canRunAsUser(home.user, join(home.binDir, 'initdb'))).toBe(true);
  });

  it('are requested when the optional package is not installed', () => {
    expect(() => locatePostgresBinaries(join(base, 'elsewhere.js'))).toThrow(
      /not installed .* set DATABASE_URL/,
    );
  });
});
