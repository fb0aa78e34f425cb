import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenApi } from '../support/contract.js';
import { databaseOfTheService } from '../support/secrets.js';
import { startService } from '../support/service.js';

const LISTS_ROUTES = pathToFileURL(join(process.cwd(), 'test', 'support', 'list-routes.mjs')).href;

/** Routes that are no operations of the API, and who uses them. A new one has to be added here and to a document. */
const OTHERS: Record<string, string[]> = {
  'the carrier, signed': [
    'POST /telephony/action/{token}',
    'POST /telephony/amd/{token}',
    'POST /telephony/answer/{token}',
    'POST /telephony/incoming',
    'POST /telephony/incoming-sms',
    'POST /telephony/recording/{token}',
    'POST /telephony/sms-status/{token}',
    'POST /telephony/spoken/{token}',
    'POST /telephony/status',
    'POST /telephony/status/{token}',
    'POST /telephony/transfer-status/{token}/{transfer}',
    'POST /telephony/transfer/{token}/{transfer}',
  ],
  'monitoring, in the own network': ['GET /health/live', 'GET /health/ready', 'GET /metrics'],
  'whoever has a signed link': ['GET /recordings/{link}'],
  'preflights of web pages with an assistant': [
    'OPTIONS /api/conversations',
    'OPTIONS /api/conversations/{uuid}',
    'OPTIONS /api/conversations/{uuid}/messages',
    'OPTIONS /api/web-calls',
    'OPTIONS /api/web-calls/widgets/{uuid}',
  ],
  'pages, which have no data': [
    'GET /',
    'GET /console',
    'GET /console/*',
    'GET /console/assets/*',
    'GET /docs',
    'GET /docs-json',
    'GET /docs-yaml',
    'GET /docs/favicon-16x16.png',
    'GET /docs/favicon-32x32.png',
    'GET /docs/index.css',
    'GET /docs/swagger-ui-bundle.js',
    'GET /docs/swagger-ui-init.js',
    'GET /docs/swagger-ui.css',
    'GET /embed.js',
    'GET /guide',
    'GET /guide/*',
    'GET /widget-preview/page.css',
    'GET /widget-preview/{uuid}',
  ],
};

/** OWASP API Security Top 10 (2023), 9. See docs/run/security.md. */
it('serves the operations of the document, the routes that are named here, and no other', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-routes-'));
  const file = join(dataDir, 'routes.txt');
  const service = await startService({
    ...databaseOfTheService(),
    DATA_DIR: dataDir,
    ROLE: 'api',
    OPERATOR_TOKEN: 'operator-of-this-test-only',
    // Without the sandbox, which is another server in the process.
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'unused',
    LLM_API_KEY: 'unused',
    NODE_OPTIONS: `--import=${LISTS_ROUTES}`,
    ROUTES_FILE: file,
  });
  try {
    const { paths } = (await (await fetch(`${service.url}/docs-json`)).json()) as OpenApi;
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = new Set(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.replace(/:(\w+)/g, '{$1}'))
        // The router adds HEAD to every GET.
        .filter((line) => !line.startsWith('HEAD ')),
    );
    expect(documented.filter((route) => !routes.has(route))).toEqual([]);
    const others = [...routes].filter((route) => !documented.includes(route));
    expect(others.sort()).toEqual(Object.values(OTHERS).flat().sort());
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
