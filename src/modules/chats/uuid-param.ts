import { ApiParam } from '@nestjs/swagger';

/** Documents the `uuid` of a conversation in the path. */
export const UuidParam = (): MethodDecorator =>
  ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } });
