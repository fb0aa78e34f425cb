import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The account whose token the request carries: every data method takes it first. */
export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<{ user: number }>().user,
);
