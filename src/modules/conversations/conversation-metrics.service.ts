import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsService } from '#src/metrics/metrics.service.js';
import type { ToolOutcome } from './engine/tool-runner.js';
import { RealtimeMetrics } from './realtime/realtime-metrics.js';

const SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];

/** `refused`: status 4xx, `failed`: every other status but 2xx, `no_answer`: none in time, or not reached. */
type ToolMetricOutcome = 'ok' | 'refused' | 'failed' | 'no_answer';

/** Metrics of the conversations that this process runs. */
@Injectable()
export class ConversationMetricsService {
  readonly realtime: RealtimeMetrics;
  private readonly running: Gauge;
  private readonly firstFrame: Histogram;
  private readonly endpointWait: Histogram;
  private readonly interruptions: Counter;
  private readonly tools: Histogram<'outcome'>;

  constructor({ registry }: MetricsService) {
    this.realtime = new RealtimeMetrics(registry);
    const histogram = { buckets: SECONDS, registers: [registry] };
    this.running = new Gauge({
      name: 'conversations_running',
      help: 'Conversations that this process holds.',
      registers: [registry],
    });
    this.firstFrame = new Histogram({
      ...histogram,
      name: 'conversation_first_frame_seconds',
      help: 'Time from the complete utterance of the customer to the first text of the answer, without fillers.',
    });
    this.endpointWait = new Histogram({
      ...histogram,
      name: 'conversation_endpoint_wait_seconds',
      help: "Time from the customer's last sound to the complete utterance, where the carrier reports sounds.",
    });
    this.interruptions = new Counter({
      name: 'conversation_interruptions_total',
      help: "The assistant's speech was cut and the conversation went on.",
      registers: [registry],
    });
    this.tools = new Histogram({
      ...histogram,
      name: 'tool_duration_seconds',
      help: "Time of users' tools, by outcome.",
      labelNames: ['outcome'],
    });
  }

  incrementRunning(): void {
    this.running.inc();
  }

  decrementRunning(): void {
    this.running.dec();
  }

  observeFirstFrame(ms: number): void {
    this.firstFrame.observe(ms / 1000);
  }

  observeEndpointWait(ms: number): void {
    this.endpointWait.observe(ms / 1000);
  }

  countInterruption(): void {
    this.interruptions.inc();
  }

  observeTool(outcome: ToolOutcome): void {
    this.tools.observe({ outcome: toMetricOutcome(outcome) }, outcome.durationMs / 1000);
  }
}

function toMetricOutcome({ ok, statusCode }: ToolOutcome): ToolMetricOutcome {
  if (ok) return 'ok';
  if (statusCode === null) return 'no_answer';
  return statusCode >= 400 && statusCode < 500 ? 'refused' : 'failed';
}
