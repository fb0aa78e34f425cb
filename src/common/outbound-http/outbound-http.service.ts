import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import { Agent } from 'undici';
import { failSpan, runInSpan, traceHeaders } from '../tracing/tracing.js';
import { AddressPolicy } from './address-policy.js';
import {
  sendOutboundRequest,
  type OutboundRequest,
  type OutboundResult,
  requestHeaders,
} from './outbound-exchange.js';
import { parseTarget } from './check-url.js';
import { guardedConnector } from './guarded-connector.js';
import { HostResolver, SystemHostResolver } from './host-resolver.js';
import { OutboundFailure, toOutboundFailure } from './outbound-failure.js';

/** What an operator decides about requests to URLs that users named. */
export abstract class OutboundHttpSettings {
  /** CIDR ranges that may be reached although they are not public, e.g. `127.0.0.0/8`. */
  abstract readonly allowCidrs: string[];
  abstract readonly userAgent: string;
}

/** Sockets to one origin; requests beyond wait inside their own deadline. */
const SOCKETS_PER_ORIGIN = 64;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Sends all requests to URLs of users (webhooks, tools). Reaches public addresses and those that the operator allows,
 * follows no redirect, ends at its deadline and reads a bounded response.
 */
@Injectable()
export class OutboundHttpService implements OnApplicationShutdown {
  private readonly userAgent: string;
  private readonly agent: Agent;

  /** Throws when a range of the settings is not a CIDR range. */
  constructor(settings: OutboundHttpSettings, @Optional() resolver: HostResolver = new SystemHostResolver()) {
    this.userAgent = settings.userAgent;
    this.agent = new Agent({
      connect: guardedConnector({ policy: new AddressPolicy(settings.allowCidrs), resolver }),
      connections: SOCKETS_PER_ORIGIN,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The deadline of each request covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Never rejects for failures of the receiver: each one is a result. */
  request(request: OutboundRequest): Promise<OutboundResult> {
    const { name, attributes = {} } = request.span ?? { name: 'outbound request' };
    return runInSpan(name, { kind: 'client', attributes }, (span) => this.send(request, span));
  }

  private async send(request: OutboundRequest, span: Span): Promise<OutboundResult> {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const url = parseTarget(request.url);
      if (typeof url === 'string') throw new OutboundFailure('invalid_url', url);
      span.setAttributes({ 'http.request.method': request.method, 'server.address': url.hostname });
      const options = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: requestHeaders({ ...traceHeaders(span), ...request.headers }, this.userAgent),
        body: request.body ?? null,
      };
      const answer = await sendOutboundRequest(this.agent, options, request);
      span.setAttribute('http.response.status_code', answer.statusCode);
      return { ok: true, ...answer, durationMs: durationMs() };
    } catch (error) {
      const failure = toOutboundFailure(error);
      failSpan(span, failure.kind);
      return { ok: false, ...failure.publicError, reason: failure.kind, durationMs: durationMs() };
    }
  }

  /** Drops all connections; what still runs ends as `aborted`. */
  close(): Promise<void> {
    return this.agent.destroy();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
