/** Serves the guide from the folder and with the settings of its arguments; Jest cannot load what serves the files. */
import { fastify } from 'fastify';
import { answerInShape, fastifyOptions } from '../../dist/src/http/fastify-options.js';
import { registerRequestHooks } from '../../dist/src/http/request-hooks.js';
import { serveGuide } from '../../dist/src/guide.js';

const [folder, http] = process.argv.slice(2);
const server = fastify(fastifyOptions());
server.setErrorHandler(answerInShape);
server.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: 'Not Found' }));
registerRequestHooks(server);
await serveGuide(server, JSON.parse(http), folder);
await server.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit());
process.send(server.server.address().port);
