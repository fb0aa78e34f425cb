import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable, map } from 'rxjs';
import { Endpoint, type EndpointOptions, type HandlerDecorator } from '#src/http/endpoint.decorator.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import type { ChatRequest } from './chat-access.js';
import { ChatsRepository } from './chats.repository.js';
import type { ChatReply } from './chats.service.js';

/**
 * Requests without a token use the database connections of the account whose assistant they talk to. Answers are
 * marked as delivered when all of them was sent: a client that got less sends its message again.
 */
@Injectable()
export class ChatReplyInterceptor implements NestInterceptor {
  constructor(private readonly chats: ChatsRepository) {}

  intercept(context: ExecutionContext, next: CallHandler<ChatReply | object>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ChatRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const owner = request.chatAccess?.assistant.accountId;
    const handled = next.handle().pipe(map((answer) => this.bodyOf(answer, reply)));
    if (owner === undefined) return handled;
    return new Observable((subscriber) => withConnectionQuota(owner, () => handled.subscribe(subscriber)));
  }

  private bodyOf(answer: ChatReply | object, reply: FastifyReply): unknown {
    if (!('isReplayed' in answer)) return answer;
    const { body, turn, isReplayed } = answer;
    if (isReplayed) void reply.header('Idempotent-Replayed', 'true');
    if (turn) reply.raw.once('finish', () => void this.chats.markDelivered(turn).catch(() => undefined));
    return body;
  }
}

/** `@Endpoint()` of a handler whose `ChatReply` has the documented body: `ChatReplyInterceptor` sends it. */
export const ReplyEndpoint =
  <Body>(options: EndpointOptions & { body: Type<Body> }): HandlerDecorator<ChatReply<Body>> =>
  (target, key, descriptor) =>
    Endpoint<EndpointOptions>(options)(target, key, descriptor as PropertyDescriptor);
