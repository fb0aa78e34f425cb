/** Appends each route of the HTTP server of the process to the file `ROUTES_FILE`: NODE_OPTIONS=--import=FILE. */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const file = process.env.ROUTES_FILE;
if (file)
  subscribe('fastify.initialization', ({ fastify }) => {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) appendFileSync(file, `${one} ${url}\n`);
    });
  });
