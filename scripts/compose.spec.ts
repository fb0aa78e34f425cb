import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { envFieldsOf } from '#src/config/env-fields.js';
import { ENV_GROUPS } from '#src/config/env-groups.js';
import { loadSettings } from '#src/config/settings.js';

interface Service {
  image?: string;
  environment?: Record<string, string | number | null>;
  ports?: string[];
  command?: string[];
  volumes?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  read_only?: boolean;
  profiles?: string[];
  network_mode?: string;
}

interface Composition {
  services: Record<string, Service>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
}

type Environment = Record<string, string>;

/** Interpolates like Compose: `${NAME:-default}` and `${NAME:?message}`. @throws the message of a missing variable */
function composition(file: string, env: Environment = {}): Composition {
  const text = readFileSync(file, 'utf8').replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_whole, name: string, kind: string | undefined, rest: string | undefined) => {
      if (env[name]) return env[name];
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    },
  );
  return load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as Composition;
}

const compose = (file: string, env: Environment = {}) => composition(file, env).services;

/** Of the Dockerfile, without its own stages. */
function baseImages(): string[] {
  const froms = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const stages = froms.map(([, , stage]) => stage);
  return froms.map(([, image]) => image ?? '').filter((image) => !stages.includes(image));
}

const environmentOf = (service: Service | undefined): Environment =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([name, value]) => [name, String(value ?? '')]),
  );

const REAL: Environment = {
  PUBLIC_URL: 'https://calls.example.com',
  POSTGRES_PASSWORD: 'Kx81fQ',
  REDIS_PASSWORD: 'Vt20cD',
  ENCRYPTION_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}`,
  TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'b7Qm',
  LLM_API_KEY: 'sk-b7Qm',
};

describe('compose-secrets', () => {
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'compose-secrets-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const runScript = () => execFileSync(process.execPath, ['scripts/compose-secrets.mjs', dir]);
  const read = () => readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const);

  it('creates secrets once, readable by their owner only', () => {
    runScript();
    const first = read();
    expect(first.map(([name]) => name)).toEqual(['postgres-password', 'service.env']);
    for (const [name] of first) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    runScript();
    expect(read()).toEqual(first);
  });

  it('gives an installation from before ENCRYPTION_KEYS a key, and keeps its other secrets', () => {
    runScript();
    const file = join(dir, 'service.env');
    const older = readFileSync(file, 'utf8').replace(/^ENCRYPTION_KEYS=.*\n/m, '');
    writeFileSync(file, older);
    runScript();
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${older}ENCRYPTION_KEYS=main:.{44}\n$`));
  });

  it('creates other secrets for each installation, and completes an interrupted run', () => {
    runScript();
    const password = readFileSync(join(dir, 'postgres-password'), 'utf8');
    const env = readFileSync(join(dir, 'service.env'), 'utf8');
    rmSync(join(dir, 'service.env'));
    runScript();
    const completed = readFileSync(join(dir, 'service.env'), 'utf8');
    expect(completed).not.toBe(env);
    expect(completed).toContain(`calling:${password}@postgres`);
    expect(password).toMatch(/^[0-9a-f]{48}$/);
  });

  it('gives the service of compose.yaml settings that it accepts', () => {
    runScript();
    const secrets = parseEnv(readFileSync(join(dir, 'service.env'), 'utf8'));
    for (const role of ['api', 'worker']) {
      const settings = loadSettings({ ...secrets, ...environmentOf(compose('compose.yaml')[role]) });
      expect(settings).toMatchObject({ production: true, allowSandbox: true, role });
    }
  });
});

describe('compose.yaml', () => {
  const services = compose('compose.yaml');

  it('publishes ports on loopback only', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual(['127.0.0.1:3000:3000']);
  });

  it('contains no secret', () => {
    const entries = Object.values(services).flatMap((service) => Object.entries(environmentOf(service)));
    const secrets = entries.filter(([name]) => /PASSWORD$|TOKEN$|KEY$|DATABASE_URL/.test(name));
    expect(secrets.filter(([, value]) => value !== '')).toEqual([]);
  });

  it('has one address for browsers of this machine and for the sandbox', () => {
    const { PUBLIC_URL: address = '' } = environmentOf(services['api']);
    expect(services['proxy']?.ports).toEqual([`127.0.0.1:${new URL(address).port}:${new URL(address).port}`]);
    expect(new URL(address).hostname).toBe('localhost');
    expect(services['sandbox']?.network_mode).toBe('service:proxy');
    expect(environmentOf(services['sandbox'])['SANDBOX_VOICE_URL']).toMatch(`${address}/telephony/incoming`);
  });

  it('mounts the secrets in every container that needs them', () => {
    for (const name of ['api', 'worker', 'sandbox', 'cli', 'postgres']) {
      expect([name, services[name]?.volumes]).toEqual([
        name,
        expect.arrayContaining(['secrets:/secrets:ro']),
      ]);
    }
  });
});

describe('the image', () => {
  const context = readFileSync('.dockerignore', 'utf8').split('\n');

  it('is built from the folders of the programs that containers run', () => {
    const files = ['Dockerfile', 'compose.yaml', 'compose.production.yaml'];
    const programs = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\bdist\/(src|tooling\/\w+)\//g),
    ]);
    const folders = new Set(programs.map(([, folder]) => `!${folder}`));
    expect(folders).toEqual(new Set(['!src', '!tooling/sandbox']));
    expect(context).toEqual(expect.arrayContaining([...folders]));
  });

  it('is built with the scripts of npm run build', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { build: string } };
    const used = [...scripts.build.matchAll(/scripts\/[\w.-]+/g)].map(([path]) => path);
    const imported = used.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/ from '\.\/([\w.-]+)'/g)].map(([, name]) => `scripts/${name}`),
    );
    expect([...used, ...imported]).toHaveLength(4);
    expect(context).toEqual(expect.arrayContaining([...used, ...imported].map((path) => `!${path}`)));
  });
});

describe('compose.production.yaml', () => {
  const file = 'compose.production.yaml';

  it.each(Object.keys(REAL))('fails without %s, with its meaning', (name) => {
    expect(() => compose(file, { ...REAL, [name]: '' })).toThrow(new RegExp(`^${name}: set it in \\.env`));
  });

  it('gives the service settings that it accepts, without the sandbox', () => {
    const services = compose(file, REAL);
    expect(Object.keys(services)).not.toContain('sandbox');
    for (const role of ['api', 'worker']) {
      const settings = loadSettings(environmentOf(services[role]));
      expect(settings).toMatchObject({ production: true, allowSandbox: false, role });
    }
  });

  it.each([
    ['POSTGRES_PASSWORD', 'calling', 'DATABASE_URL'],
    ['TWILIO_AUTH_TOKEN', 'sandbox-auth-token', 'TWILIO_AUTH_TOKEN'],
    ['LLM_API_KEY', 'sandbox-api-key', 'LLM_API_KEY'],
  ])('is refused by the service with the former default of %s', (name, value, told) => {
    const env = environmentOf(compose(file, { ...REAL, [name]: value })['api']);
    expect(() => loadSettings(env)).toThrow(told);
  });

  it('publishes the ports of the proxy only', () => {
    const services = Object.entries(compose(file, REAL));
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
  });
});

/** Variables set by a file itself, or by the start of a container. */
const OWN_SETTINGS: Record<string, string[]> = {
  'compose.yaml': [
    'PUBLIC_URL',
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_API_URL',
    'LLM_API_KEY',
    'LLM_BASE_URL',
    'ENCRYPTION_KEYS',
  ],
  'compose.production.yaml': [],
};
const OF_CONTAINERS = ['NODE_ENV', 'ROLE', 'PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL'];
const OF_THE_SANDBOX = ['EMBEDDED_REDIS', 'ALLOW_SANDBOX', 'SANDBOX_SPEED'];

describe.each(Object.keys(OWN_SETTINGS))('%s', (file) => {
  const fields = ENV_GROUPS.flatMap((group) => [...envFieldsOf(group).values()]);
  const own = [...OF_CONTAINERS, ...OF_THE_SANDBOX, ...(OWN_SETTINGS[file] ?? [])];
  const passed = fields.filter(({ name }) => !own.includes(name));

  it.each(['api', 'worker', 'cli'])('passes every other setting of .env to %s', (service) => {
    const given = Object.fromEntries(passed.map(({ name, example }) => [name, example]));
    expect(environmentOf(compose(file, { ...REAL, ...given })[service])).toMatchObject(given);
  });

  it("trusts the addresses of the proxy's network, unless .env names others", () => {
    const { services, networks } = composition(file, REAL);
    const subnets = networks.default.ipam.config.map(({ subnet }) => subnet);
    expect(subnets).toHaveLength(1);
    for (const name of ['api', 'worker', 'cli'])
      expect(environmentOf(services[name])['TRUSTED_PROXIES']).toBe(subnets[0]);
    expect(services['proxy']?.network_mode).toBeUndefined();
    const { TRUSTED_PROXIES: other } = environmentOf(
      compose(file, { ...REAL, TRUSTED_PROXIES: '192.0.2.0/24' })['api'],
    );
    expect(other).toBe('192.0.2.0/24');
  });

  it('gives no container capabilities that it does not name, or rights at run time', () => {
    const services = Object.entries(compose(file, REAL)).filter(
      ([, { profiles }]) => profiles?.[0] !== 'local',
    );
    for (const [name, { cap_drop, security_opt }] of services)
      expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
    for (const name of ['api', 'worker', 'cli'])
      expect(compose(file, REAL)[name]).toMatchObject({ read_only: true });
    expect(compose(file, REAL)['api']?.cap_add).toBeUndefined();
    expect(compose(file, REAL)['api']?.volumes).toEqual(expect.arrayContaining(['/app/.data', '/tmp']));
  });

  it('takes images of others by digest, except those without a known one', () => {
    const images = [...Object.values(compose(file, REAL)).map(({ image }) => image ?? ''), ...baseImages()];
    const others = images.filter(
      (image) => !/^(voice-assistant-calling-service$|postgres:|ollama\/)/.test(image),
    );
    expect(others.length).toBeGreaterThan(2);
    for (const image of others) expect(image).toMatch(/:[\w.-]+@sha256:[\da-f]{64}$/);
  });

  it("has the service's role created by a script, so that it is no superuser", () => {
    const { postgres } = compose(file, REAL);
    expect(environmentOf(postgres)).not.toHaveProperty('POSTGRES_USER');
    expect(readFileSync(file, 'utf8')).toContain('target: /docker-entrypoint-initdb.d/service-role.sh');
    expect(readFileSync('docker/service-role.sh', 'utf8')).toMatch(
      /CREATE ROLE calling LOGIN PASSWORD :'password';/,
    );
  });

  it('gives the proxy the same first part of API paths as the service', () => {
    const proxy = (env: Environment) => environmentOf(compose(file, { ...REAL, ...env })['proxy']);
    expect(proxy({})['API_PREFIX']).toBe(loadSettings({}).http.apiPrefix);
    expect(proxy({ API_PREFIX: '/v1' })['API_PREFIX']).toBe('/v1');
  });
});
