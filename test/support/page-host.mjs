/** Serves `console` or `guide`, one at a time, as page-server.ts asks; Jest cannot load what serves the files. */
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

const PAGES = {
  console: [ConsoleController, ConsoleFilesService],
  guide: [GuideController, GuideFilesService],
};

/** The module loads all others, which takes seconds: only where its choice matters. */
async function controllers(Controller, settings) {
  if (settings.http.consoleEnabled !== false && settings.http.docsEnabled !== false) return [Controller];
  const { PagesModule } = await import('../../dist/src/pages/pages.module.js');
  return PagesModule.forRoot(settings).controllers.filter((one) => one === Controller);
}

async function start({ name, folder, http }) {
  const [Controller, Files] = PAGES[name];
  const settings = { http };
  class PageModule {}
  Module({
    controllers: await controllers(Controller, settings),
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
  return app;
}

let app = null;
process.on('message', async (asked) => {
  await app?.close();
  app = await start(asked);
  process.send(app.getHttpServer().address().port);
});
process.on('disconnect', () => process.exit());
