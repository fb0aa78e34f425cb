import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC_ROUTE = 'auth:public';

/** Opens a route or a controller to callers without a bearer token. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC_ROUTE, true);
