import { Controller, Get, Injectable, Param, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#src/auth/auth.decorators.js';
import { NotFound } from '#src/common/errors/api-error.js';
import type { CspSources } from '#src/http/page-headers.js';
import { ConsoleFilesService, INDEX_FILE } from './console-files.service.js';
import { HTML_TYPE } from './html.js';
import { PageHeadersInterceptor } from './page-headers.interceptor.js';

/** The names of assets contain a hash of their content. */
const IMMUTABLE = { maxAge: '1y', immutable: true } as const;
const REVALIDATED = { maxAge: 0 } as const;
const HAS_EXTENSION = /\.[^./]+$/;

@Injectable()
class ConsoleHeadersInterceptor extends PageHeadersInterceptor {
  protected override sources(origin: string, socketOrigin: string): CspSources {
    return {
      // The library of components writes its styles into the page; no user input becomes HTML.
      styles: ["'unsafe-inline'"],
      images: ['blob:'],
      media: [origin, 'blob:', 'data:'],
      workers: ['blob:'],
      connect: [origin, socketOrigin, 'blob:'],
    };
  }
}

/** The files of the console, and its page for every address that is no file. Without a build every address is a 404. */
@Public()
@ApiExcludeController()
@UseInterceptors(ConsoleHeadersInterceptor)
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFilesService) {}

  @Get('assets/*')
  asset(@Param('*') path: string, @Res() reply: FastifyReply): void {
    void reply.sendFile(`assets/${path}`, this.files.folder, IMMUTABLE);
  }

  @Get(['', '*'])
  async pageOrFile(@Res() reply: FastifyReply, @Param('*') path = ''): Promise<void> {
    if (HAS_EXTENSION.test(path) && path !== INDEX_FILE) {
      void reply.sendFile(path, this.files.folder, REVALIDATED);
      return;
    }
    const page = await this.files.readPage();
    if (page === null) throw new NotFound('Not Found');
    void reply.headers({ 'content-type': HTML_TYPE, 'cache-control': 'no-cache' }).send(page);
  }
}
