/**
 * The reference for measurements: handlers with the same responses and the same SQL, on Fastify and pg without a
 * framework. It has no other features of the service.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { assistantRoutes } from './assistants.js';
import { authenticate } from './authenticate.js';
import { callRoutes } from './calls.js';
import { loadCatalogue } from './catalogue.js';
import { leadRoutes } from './leads.js';
import { toolRoutes } from './tools.js';

const POOL_SIZE = 16;

const { DATABASE_URL: connectionString, PORT } = process.env;
const pool = new pg.Pool({ connectionString, max: POOL_SIZE, options: '-c timezone=UTC' });
const app = Fastify();

for (const path of ['/health/live', '/health/ready']) app.get(path, async () => ({ status: 'ok' }));
await app.register(
  async (api) => {
    authenticate(api, pool);
    toolRoutes(api, pool);
    callRoutes(api, pool);
    leadRoutes(api, pool);
    assistantRoutes(api, pool, await loadCatalogue(pool));
  },
  { prefix: '/api' },
);
await app.listen({ port: Number(PORT), host: '127.0.0.1' });

process.once('SIGTERM', () => process.exit(0));
