import { Controller, Get, Injectable, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#src/auth/auth.decorators.js';
import { NotFound } from '#src/common/errors/api-error.js';
import type { CspSources } from '#src/http/page-headers.js';
import { GuideFilesService } from './guide-files.service.js';
import { PageHeadersInterceptor } from './page-headers.interceptor.js';

/** The names of assets contain a hash of their content. */
const IMMUTABLE = { maxAge: '1y', immutable: true } as const;
const REVALIDATED = { maxAge: 0 } as const;
const ENDS_WITH_SLASH = /^[^?]*\/(\?|$)/;

@Injectable()
class GuideHeadersInterceptor extends PageHeadersInterceptor {
  protected override sources(): CspSources {
    // The generator colours code by `style` attributes; no user input becomes HTML.
    return { styles: ["'unsafe-inline'"] };
  }
}

/** The guide, which `npm run docs` makes of `docs/`. Without a build every address is a 404. */
@Public()
@ApiExcludeController()
@UseInterceptors(GuideHeadersInterceptor)
@Controller('guide')
export class GuideController {
  constructor(private readonly files: GuideFilesService) {}

  @Get(['', '*'])
  async pageOrFile(
    @Req() { url }: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('*') path = '',
  ): Promise<void> {
    if (!this.files.isBuilt()) throw new NotFound('Not Found');
    // The router ignores a slash at the end; relative addresses in the pages need it.
    if (path === '' && !ENDS_WITH_SLASH.test(url)) return void reply.redirect(this.files.base, 302);
    const found = this.files.findFile(path);
    if (found === null) reply.status(404);
    const name = found ?? '404.html';
    const adapted = await this.files.adaptToBasePath(name);
    const caching = name.startsWith('assets/') ? IMMUTABLE : REVALIDATED;
    if (adapted === null) return void reply.sendFile(name, this.files.folder, caching);
    reply.headers({ 'content-type': adapted.type, 'cache-control': 'no-cache' }).send(adapted.text);
  }
}
