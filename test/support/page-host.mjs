/** Serves `console` or `guide`, from the folder and with the settings of its arguments; Jest cannot load what serves the files. */
import 'reflect-metadata';
import fastifyStatic from '@fastify/static';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { RuntimeSettings } from '../../dist/src/config/runtime-settings.js';
import { ApiErrorFilter } from '../../dist/src/http/errors/api-error.filter.js';
import { fastifyOptions } from '../../dist/src/http/fastify-options.js';
import { registerPageHeaders } from '../../dist/src/http/page-headers.js';
import { registerRequestHooks } from '../../dist/src/http/request-hooks.js';
import { ConsoleController } from '../../dist/src/pages/console.controller.js';
import { ConsoleFilesService } from '../../dist/src/pages/console-files.service.js';
import { GuideController } from '../../dist/src/pages/guide.controller.js';
import { GuideFilesService } from '../../dist/src/pages/guide-files.service.js';

const [name, folder, http] = process.argv.slice(2);
const [Controller, Files] = {
  console: [ConsoleController, ConsoleFilesService],
  guide: [GuideController, GuideFilesService],
}[name];
const settings = { http: JSON.parse(http) };

/** The module loads all others, which takes seconds: only where its choice matters. */
async function controllers() {
  if (settings.http.consoleEnabled !== false && settings.http.docsEnabled !== false) return [Controller];
  const { PagesModule } = await import('../../dist/src/pages/pages.module.js');
  return PagesModule.with(settings).controllers.filter((one) => one === Controller);
}

class PageModule {}
Module({
  controllers: await controllers(),
  providers: [
    { provide: RuntimeSettings, useValue: settings },
    {
      provide: Files,
      useFactory: () => Object.assign(new Files(settings), { folder }),
    },
  ],
})(PageModule);

const app = await NestFactory.create(PageModule, new FastifyAdapter(fastifyOptions()), { logger: false });
const fastify = app.getHttpAdapter().getInstance();
registerRequestHooks(fastify);
await registerPageHeaders(fastify);
await fastify.register(fastifyStatic, { serve: false, preCompressed: true });
app.useGlobalFilters(new ApiErrorFilter({ reportOutage: () => false }));
await app.listen(0, '127.0.0.1');
process.on('disconnect', () => process.exit());
process.send(app.getHttpServer().address().port);
