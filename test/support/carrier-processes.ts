import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#src/embedded/free-port.js';
import { SandboxProcess } from '../../tooling/harness/sandbox-process.js';
import { send, type CarrierOfService } from './carrier.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from './service.js';

const ACCOUNT_SID = `AC${'2'.repeat(32)}`;
/** How long a killed service takes to start again is a matter of the machine. */
const PATIENCE_SECONDS = 120;

export interface CarrierProcesses extends CarrierOfService {
  /** Settings of the service. */
  env: Record<string, string>;
  service: ServiceProcess;
  /** Ends what the service leaves: its carrier and its files. */
  stopCarrier(): void;
}

/** A service with its own database, and a carrier in another process, whose secret is known. */
export async function startCarrierProcesses(
  postgresServer: string,
  proxy: (carrierUrl: string) => Promise<string>,
  speed: number,
  settings: Record<string, string>,
): Promise<CarrierProcesses> {
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-carrier-'));
  const postgresUrl = await createDatabase(postgresServer);
  const authToken = randomBytes(16).toString('hex');
  const sandbox = await SandboxProcess.start(dataDir, {
    TWILIO_ACCOUNT_SID: ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: authToken,
    LLM_API_KEY: authToken,
    SANDBOX_SPEED: String(speed),
    SANDBOX_PATIENCE_SECONDS: String(PATIENCE_SECONDS),
  });
  const sandboxUrl = sandbox.url;
  const serviceEnv = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgresUrl,
    ...sandbox.serviceEnv,
    ...WITHOUT_DOCS,
    PORT: String(await freePort()),
    TWILIO_API_URL: await proxy(sandboxUrl),
    ...settings,
  };
  const service = await startService(serviceEnv).catch(async (error: unknown) => {
    // Its pipe would keep Jest's process from ending.
    await sandbox.kill();
    throw error;
  });
  await send('PUT', `${sandboxUrl}/config`, {
    // As the service sets it for numbers of accounts.
    voice_url: `${service.url}/telephony/incoming#rc=5&rp=all`,
    status_callback: `${service.url}/telephony/status`,
  });
  return {
    postgresUrl,
    serviceUrl: service.url,
    sandboxUrl,
    accountSid: ACCOUNT_SID,
    authToken,
    env: serviceEnv,
    service,
    stopCarrier: () => {
      void sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function createDatabase(postgresServer: string): Promise<string> {
  const name = `carrier_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: postgresServer });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  const url = new URL(postgresServer);
  url.pathname = `/${name}`;
  return url.href;
}
