import { applyDecorators, Header } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { WithRouteConfig } from './route-config.js';

export const EVENT_STREAM = 'text/event-stream';

/** The route answers with server-sent events (WHATWG HTML, section 9.2) that a client can resume. */
export const EventStream = (): MethodDecorator =>
  applyDecorators(
    WithRouteConfig({ isHeldOpen: true }),
    Header('Cache-Control', 'no-store'),
    // For nginx and the like, which otherwise keep events back until there are many.
    Header('X-Accel-Buffering', 'no'),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'The id of the last event that was received: the stream continues behind it.',
      schema: { type: 'string', maxLength: 255 },
    }),
  );
