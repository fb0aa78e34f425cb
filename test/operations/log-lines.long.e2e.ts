import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { databaseOfTheService } from '../support/secrets.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

/** Writes the names of the packages that were loaded when the process ends. */
const TELLS_PACKAGES = `data:text/javascript,${encodeURIComponent(
  `import Module from 'node:module'; process.on('exit', () => console.log(Object.keys(Module._cache).join(' ')));`,
)}`;
const AUTH_TOKEN = 'an-auth-token-of-this-test';

it('logs JSON lines with the id of the request, and loads no package for traces', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-log-'));
  const service = await startService({
    ...databaseOfTheService(),
    DATA_DIR: dataDir,
    ROLE: 'api',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    LLM_API_KEY: 'unused',
    NODE_OPTIONS: `--import ${TELLS_PACKAGES}`,
  });
  try {
    const url = `${service.url}/telephony/status`;
    const form = { CallSid: `CA${'f'.repeat(32)}`, CallStatus: 'completed' };
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'X-Request-Id': 'request-of-this-test',
        'X-Twilio-Signature': getExpectedTwilioSignature(AUTH_TOKEN, url, form),
      },
      body: new URLSearchParams(form),
    });
    expect(answer.status).toBe(204);
    await until(async () => service.output().includes('unknown call'));
    const records = service
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofRequest = records.filter(({ requestId }) => requestId !== undefined);
    expect(ofRequest).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        requestId: answer.headers.get('x-request-id'),
        context: 'CallConversationsService',
        message: 'The carrier reported an unknown call',
      },
    ]);
    await service.stop();
    // Without an exporter of traces.
    const packages = service
      .output()
      .split('\n')
      .find((line) => line.includes('@opentelemetry'));
    expect(packages).toContain('@opentelemetry/api');
    expect(packages).not.toMatch(/@opentelemetry\/(?!api\/)/);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
