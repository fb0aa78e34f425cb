import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
}

/**
 * Optional binaries for other systems, whose checksums were not available when the lock file was created. All other
 * packages have a checksum.
 */
const WITHOUT_CHECKSUM =
  /^node_modules\/(@msgpackr-extract\/|@oxlint\/binding-|@swc\/core-|@unrs\/resolver-binding-)/;
const MOST_WITHOUT_CHECKSUM = 46;

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  // The project and its workspaces, and the links to these, come from no registry.
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const withoutChecksum = installed.filter(([, { integrity }]) => integrity === undefined);

  it('has a checksum for all packages except optional binaries of other systems', () => {
    const others = withoutChecksum.filter(
      ([path, { optional, os }]) => !(optional && os && WITHOUT_CHECKSUM.test(path)),
    );
    expect(others.map(([path]) => path)).toEqual([]);
    expect(withoutChecksum.length).toBeLessThanOrEqual(MOST_WITHOUT_CHECKSUM);
  });

  it('contains no registry URL', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
