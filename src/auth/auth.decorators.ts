import {
  SetMetadata,
  type CustomDecorator,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';

export const PUBLIC_ROUTE = 'auth:public';

/** Opens a route or a controller to callers without a bearer token. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC_ROUTE, true);

/** The account whose token the request carries: every data method takes it first. */
export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<{ user: number }>().user,
);
