import type { Clock } from '#src/modules/conversations/engine/clock.js';
import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { OutboundRequest, OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { OutboundFailure } from '#src/common/outbound-http/outbound-failure.js';
import type { AssistantView } from '#src/modules/assistants/assistant-view.js';
import { AssistantFunctionsService } from '#src/modules/conversations/assistant-functions.service.js';
import { milliseconds, type Scenario, type ToolAnswer } from './scenario.types.js';
import { scriptedKnowledge } from './scripted-knowledge.js';

/** The endpoints of a scenario's tools, at the place of the service's client for outbound HTTP. */
export class ScriptedTools {
  readonly requests: OutboundRequest[] = [];
  private readonly asked = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly tools: AssistantView['tools'],
    private readonly scripted: Pick<Scenario, 'tool_answers' | 'knowledge'>,
    private readonly onRequest: () => void,
  ) {}

  /** With the scenario's documents. */
  get functions(): AssistantFunctionsService {
    return new AssistantFunctionsService(this.http, scriptedKnowledge(this.clock, this.scripted.knowledge));
  }

  get http(): OutboundHttpService {
    return {
      request: (request: OutboundRequest) => this.request(request),
    } as unknown as OutboundHttpService;
  }

  private async request(request: OutboundRequest): Promise<OutboundResult> {
    this.requests.push(request);
    this.onRequest();
    const { takes = '0ms', status = 200, body = {}, refused } = this.answerTo(request.url);
    const takesMs = milliseconds(takes);
    const from = this.clock.now();
    await this.pause(Math.min(takesMs, request.timeoutMs), request.signal);
    const durationMs = this.clock.now() - from;
    const failed = (kind: 'timeout' | 'aborted' | 'connect_failure'): OutboundResult => ({
      ok: false,
      ...new OutboundFailure(kind).publicError,
      reason: kind,
      durationMs,
    });
    if (request.signal?.aborted) return failed('aborted');
    if (takesMs > request.timeoutMs) return failed('timeout');
    if (refused) return failed('connect_failure');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { ok: true, statusCode: status, headers: {}, body: text, truncated: false, durationMs };
  }

  /** By the part of the endpoint before its first parameter. */
  private answerTo(url: string): ToolAnswer {
    const tool = this.tools.find(({ endpoint }) => url.startsWith(endpoint.replace(/[{?].*$/, '')));
    const given = this.scripted.tool_answers[tool?.name ?? ''] ?? {};
    if (!Array.isArray(given)) return given;
    const index = this.asked.get(tool?.name ?? '') ?? 0;
    this.asked.set(tool?.name ?? '', index + 1);
    return given[Math.min(index, given.length - 1)] ?? {};
  }

  private pause(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms === 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.clock.setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => (cancel(), resolve()), { once: true });
    });
  }
}
