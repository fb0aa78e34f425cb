import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  os?: string[];
}

/**
 * Binaries for other systems than the one that this lock file was made on: their registry did not have them, so their
 * checksums are unknown. Nothing else may come without a checksum.
 */
const WITHOUT_CHECKSUM =
  /^node_modules\/(@msgpackr-extract\/|@oxlint\/binding-|@swc\/core-|@unrs\/resolver-binding-)/;
const MOST_WITHOUT_CHECKSUM = 46;

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  const withoutChecksum = installed.filter(([, { integrity }]) => integrity === undefined);

  it('has a checksum for everything but optional binaries of other systems', () => {
    const others = withoutChecksum.filter(
      ([path, { optional, os }]) => !(optional && os && WITHOUT_CHECKSUM.test(path)),
    );
    expect(others.map(([path]) => path)).toEqual([]);
    expect(withoutChecksum.length).toBeLessThanOrEqual(MOST_WITHOUT_CHECKSUM);
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
