import { createHash } from 'node:crypto';
import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '#src/http/rate-limit/address-key.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { UUID, UUID_LENGTH } from '#src/common/validation/uuid.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { allowOrigin } from '../assistants/widget-access.js';
import { allowsOrigin, withWidgetDefaults } from '../assistants/widget-settings.js';

const KEY_LENGTH = 22;

type WidgetRequest = FastifyRequest & {
  widgetAssistant?: AssistantView;
  /** Identifies the visitor's address; null: the request has a token of the assistant's account. */
  visitor?: string | null;
};

/** The assistant that the guard admitted the request to; undefined where the body names none, which is refused. */
export const WidgetAssistant = createParamDecorator(
  (_: unknown, context: ExecutionContext): AssistantView | undefined =>
    context.switchToHttp().getRequest<WidgetRequest>().widgetAssistant,
);

/** Who the guard took the request for; null: the account itself, with a token. */
export const RequestVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<WidgetRequest>().visitor ?? null,
);

/**
 * Which assistants a request without a token may use: those with a widget, from pages of their allowed origins and
 * from the service's own. Runs before the body is validated, so that pages can read the answer to a wrong one.
 */
@Injectable()
export class WebCallAccessGuard implements CanActivate {
  private readonly ownOrigin: string;

  constructor(
    private readonly assistants: AssistantsService,
    private readonly settings: RuntimeSettings,
  ) {
    this.ownOrigin = new URL(settings.http.publicUrl).origin;
  }

  /** @throws AssistantNotFound, OriginNotAllowed */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<WidgetRequest>();
    const uuid = uuidOf(request);
    if (uuid === null) return true;
    const assistant = UUID.test(uuid) ? await this.assistants.assistantViewByUuid(uuid) : null;
    if (!assistant) throw new AssistantNotFound();
    const { origin } = request.headers;
    const isOpen = this.isOpen(assistant, origin, request.method);
    if (origin !== undefined && (isOpen || this.settings.http.corsOrigins.includes(origin))) {
      allowOrigin(context.switchToHttp().getResponse<FastifyReply>(), origin);
    }
    if (!isOpen) throw new OriginNotAllowed();
    if (request.grant?.accountId !== assistant.accountId) {
      await request.countAsVisitor?.();
      request.visitor = visitorKey(request.ip);
    }
    request.widgetAssistant = assistant;
    return true;
  }

  private isOpen({ widgetSettings }: AssistantView, origin: string | undefined, method: string): boolean {
    // Browsers send no origin with a GET to the page's own.
    if (origin === undefined)
      return method === 'GET' && withWidgetDefaults(widgetSettings)['enabled'] === true;
    if (allowsOrigin(widgetSettings, origin)) return true;
    return origin === this.ownOrigin && withWidgetDefaults(widgetSettings)['enabled'] === true;
  }
}

/** A hash is stored instead of the address, the same for all its calls. */
const visitorKey = (ip: string): string =>
  createHash('sha256').update(addressKey(ip)).digest('base64url').slice(0, KEY_LENGTH);

function uuidOf({ params, body }: FastifyRequest): string | null {
  const { uuid } = params as { uuid?: string };
  if (uuid !== undefined) return uuid;
  const { assistant_id: given } = (body ?? {}) as { assistant_id?: unknown };
  return typeof given === 'string' && given.trim() !== '' && given.length <= UUID_LENGTH ? given : null;
}
