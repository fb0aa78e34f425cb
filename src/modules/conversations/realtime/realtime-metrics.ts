import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ModelUsage } from '../../llm/language-model.js';

const SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5];

/** Observes sessions with realtime models. */
export interface RealtimeObserver {
  /** @param ms from the request of a response to its first audio */
  observeFirstAudio(ms: number): void;
  /** Tokens of one response. */
  countTokens(usage: ModelUsage): void;
}

export const NO_OBSERVER: RealtimeObserver = {
  observeFirstAudio: () => undefined,
  countTokens: () => undefined,
};

/** Metrics of the sessions with realtime models that this process holds. */
export class RealtimeMetrics implements RealtimeObserver {
  private readonly open: Gauge;
  private readonly failures: Counter;
  private readonly audio: Histogram;
  private readonly tokens: Counter<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.open = new Gauge({
      name: 'realtime_sessions_open',
      help: 'Conversations of this process whose other end is a realtime model.',
      registers,
    });
    this.failures = new Counter({
      name: 'realtime_sessions_failed_total',
      help: 'Realtime models that could not be reached or were lost: the call went on in pipeline mode.',
      registers,
    });
    this.audio = new Histogram({
      name: 'realtime_first_audio_seconds',
      help: 'Time from the request of a response to its first audio.',
      buckets: SECONDS,
      registers,
    });
    this.tokens = new Counter({
      name: 'realtime_tokens_total',
      help: 'Tokens of responses, where the provider tells them.',
      labelNames: ['kind'],
      registers,
    });
  }

  countOpened(): void {
    this.open.inc();
  }

  countClosed(hasFailed: boolean): void {
    this.open.dec();
    if (hasFailed) this.failures.inc();
  }

  observeFirstAudio(ms: number): void {
    this.audio.observe(ms / 1000);
  }

  countTokens({ prompt, cached, completion }: ModelUsage): void {
    this.tokens.inc({ kind: 'prompt' }, prompt);
    this.tokens.inc({ kind: 'cached' }, cached);
    this.tokens.inc({ kind: 'completion' }, completion);
  }
}
