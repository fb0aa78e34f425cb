import { join } from 'node:path';
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN, SANDBOX_PORT } from './defaults.js';
import { startSandbox } from './sandbox.js';

/** An empty variable counts as not set: compose files pass on unset variables as empty. */
function setting(name: string): string | undefined {
  return process.env[name] || undefined;
}

const sandbox = await startSandbox({
  port: Number(setting('SANDBOX_PORT') ?? setting('PORT') ?? SANDBOX_PORT),
  host: setting('HOST'),
  accountSid: setting('TWILIO_ACCOUNT_SID') ?? SANDBOX_ACCOUNT_SID,
  authToken: setting('TWILIO_AUTH_TOKEN') ?? SANDBOX_AUTH_TOKEN,
  apiKey: setting('LLM_API_KEY') ?? SANDBOX_API_KEY,
  journalFile: join(setting('DATA_DIR') ?? '.data', 'sandbox-journal.jsonl'),
  speed: Number(setting('SANDBOX_SPEED') ?? 1),
  patienceSeconds: Number(setting('SANDBOX_PATIENCE_SECONDS') ?? 0),
  publicNumberWebhook: setting('SANDBOX_VOICE_URL'),
  publicNumberStatusCallback: setting('SANDBOX_STATUS_URL'),
});
process.stdout.write(`The sandbox carrier and model listen on ${sandbox.url}\n`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
