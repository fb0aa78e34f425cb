import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import { FixedWindowCounter } from '#src/http/rate-limit/fixed-window-counter.js';
import { AuditService } from '../audit/audit.service.js';
import type { TestToolDto } from './dto/tool-input.dto.js';
import { type ToolTestResponse, toToolTestResponse } from './dto/tool-test.response.js';
import { ToolArgumentError, toolRequestOptions, buildToolRequest } from './tool-request.js';
import { ToolsService } from './tools.service.js';

/** Of one account in this process: enough for a person, too few to load somebody's server. */
const TESTS_PER_MINUTE = 60;

/** Sends a request to the endpoint of a tool as a call does, and returns request and response. */
@Injectable()
export class ToolTestsService {
  private readonly tests = new FixedWindowCounter(TESTS_PER_MINUTE, 60_000);

  constructor(
    private readonly tools: ToolsService,
    private readonly http: OutboundHttpService,
    private readonly audit: AuditService,
  ) {}

  /** @throws ToolNotFound, TooManyRequests */
  async testTool(
    userId: number,
    id: number,
    { arguments: args = {} }: TestToolDto,
  ): Promise<ToolTestResponse> {
    const tool = await this.tools.getTool(userId, id);
    const secondsLeft = this.tests.count(String(userId));
    if (secondsLeft !== null) throw new TooManyRequests(secondsLeft);
    // Before the request: it is sent with the values of secret headers.
    await this.audit.change(async (_tx, record) =>
      record({ accountId: userId, action: 'tool.test', resourceId: id }),
    );
    try {
      const request = buildToolRequest(tool, args);
      return toToolTestResponse(
        request,
        tool,
        await this.http.request({ ...request, ...toolRequestOptions(tool) }),
      );
    } catch (error) {
      if (!(error instanceof ToolArgumentError)) throw error;
      return { request: null, response: null, duration_ms: 0, error: error.message };
    }
  }
}
