/**
 * Creates the secrets of compose.yaml at the first start, in a volume shared by its containers. Later starts keep
 * them. `service.env` is read by Node's `--env-file`, `postgres-password` by the image of Postgres.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.argv[2];
if (!dir) {
  process.stderr.write('usage: node compose-secrets.mjs DIRECTORY\n');
  process.exit(2);
}

/** 48 hexadecimal digits: they need no escaping in a URL. */
const secret = () => randomBytes(24).toString('hex');

function writeAtomically(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Never replaced: the database keeps the password from its creation. */
function once(name, make) {
  const path = join(dir, name);
  if (!existsSync(path)) writeAtomically(path, make());
  return readFileSync(path, 'utf8');
}

const password = once('postgres-password', secret);
const settings = once('service.env', () =>
  [
    `DATABASE_URL=postgresql://calling:${password}@postgres:5432/calling`,
    `TWILIO_AUTH_TOKEN=${secret()}`,
    `LLM_API_KEY=${secret()}`,
    '',
  ].join('\n'),
);
// Files of earlier versions have none.
if (!/^ENCRYPTION_KEYS=/m.test(settings)) {
  const key = randomBytes(32).toString('base64');
  writeAtomically(join(dir, 'service.env'), `${settings}ENCRYPTION_KEYS=main:${key}\n`);
}
