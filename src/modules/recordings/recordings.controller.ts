import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#src/auth/auth.decorators.js';
import { playbackRequest, sendPlayback } from './playback-http.js';
import { RecordingPlaybackService } from './recording-playback.service.js';

/** For players: the link is the permission. Also answers HEAD. */
@Public()
@ApiExcludeController()
@Controller('recordings')
export class RecordingsController {
  constructor(private readonly playback: RecordingPlaybackService) {}

  @Get(':link')
  async play(
    @Param('link') link: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendPlayback(reply, await this.playback.openPlayback(link, playbackRequest(request, reply)));
  }
}
