/** npm run sdk: generates the TypeScript client in `clients/typescript` from the OpenAPI document, and builds it. */
import { join } from 'node:path';
import { run, writeOpenApiTypes } from './openapi-types.mjs';
import { ROOT } from './prepare.mjs';

const CLIENT = join(ROOT, 'clients/typescript');

await writeOpenApiTypes(join(CLIENT, 'src/api.ts'));
run('node_modules/typescript/bin/tsc', '--project', CLIENT);
process.stdout.write('built clients/typescript\n');
