/**
 * npm run sbom: writes the bill of materials of what runs (CycloneDX, dist/sbom.cdx.json): the packages of the service
 * and those in the built console. Fails where one has a licence that is not in `ALLOWED`. Needs a build.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');
const DIST = join(ROOT, 'dist');

/** Of a package with a choice, one is enough. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Zlib',
]);
/** Packages that name their licence in a file only: MIT. */
const NAMED_IN_A_FILE = { duck: 'MIT', pause: 'MIT' };

/** As `npm sbom` names a package. */
const purl = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** @returns the licences of a component, as an expression */
function licenceOf({ name, licenses = [] }) {
  const named = licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name);
  return named.filter(Boolean).join(' AND ') || NAMED_IN_A_FILE[name] || 'unknown';
}

/** @param licence an expression of SPDX without nested parentheses */
const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(/ OR /i).some((one) => ALLOWED.has(one.trim())));

const command = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'];
const sbom = JSON.parse(
  execFileSync('npm', command, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
);
const known = new Set(sbom.components.map((component) => component.purl));
// Vite's list of the packages in the bundle.
for (const { name, version, identifier } of JSON.parse(
  readFileSync(join(DIST, 'console', 'licences.json'), 'utf8'),
)) {
  if (known.has(purl(name, version))) continue;
  const licenses = identifier ? [{ expression: identifier }] : [];
  const reference = { 'bom-ref': `console|${name}@${version}`, purl: purl(name, version) };
  sbom.components.push({ type: 'library', name, version, scope: 'required', licenses, ...reference });
}

const refused = sbom.components.filter((component) => !isAllowed(licenceOf(component)));
for (const component of refused)
  process.stderr.write(`${component.name} ${component.version}: ${licenceOf(component)} is not allowed\n`);
if (refused.length > 0) process.exit(1);
writeFileSync(join(DIST, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
process.stdout.write(`dist/sbom.cdx.json: ${sbom.components.length} packages\n`);
