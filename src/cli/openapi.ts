import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '#src/app.module.js';
import { setApiPrefix } from '#src/app.setup.js';
import { loadSettings } from '#src/config/settings.js';
import { ApiDocumentService } from '#src/pages/api-document.service.js';
import { toExplanation } from './output.js';
import { idleSettings } from './operator/operator.js';

/**
 * Prints the OpenAPI document that the service serves at `/docs-json`, for client generators. In preview Nest reads the
 * routes and their types without an instance of a provider, so this needs no database.
 */
async function printDocument(): Promise<void> {
  const settings = idleSettings(loadSettings(), '');
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  setApiPrefix(app, settings.http);
  const service = new ApiDocumentService(settings);
  service.setApplication(app);
  process.stdout.write(`${JSON.stringify(service.document(), null, 2)}\n`);
}

try {
  await printDocument();
} catch (error) {
  const { exitCode, text } = toExplanation(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
