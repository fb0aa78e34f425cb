/** Endpoints that the service's branch of the console adds: this file goes when they are in the document. */
import './schema';

type Metric =
  | 'calls'
  | 'answered'
  | 'seconds'
  | 'cost'
  | 'average_duration'
  | 'response_p50'
  | 'response_p95'
  | 'success';

interface CallAnalytics {
  interval: string;
  timezone: string;
  metrics: Metric[];
  buckets: string[];
  series: {
    key: string | null;
    label: string | null;
    values: Partial<Record<Metric, (number | null)[]>>;
    totals: Partial<Record<Metric, number | null>>;
  }[];
  totals: Partial<Record<Metric, number | null>>;
}

interface AnswerRate {
  timezone: string;
  cells: { weekday: number; hour: number; calls: number; answered: number; rate: number | null }[];
  totals: { calls: number; answered: number; rate: number | null };
}

interface Answer<T> {
  200: { headers: { [name: string]: unknown }; content: { 'application/json': T } };
}

interface Read<Query, T> {
  get: { parameters: { query?: Query }; requestBody?: never; responses: Answer<T> };
}

declare module './schema' {
  interface paths {
    '/user/analytics/calls': Read<
      {
        from: string;
        to: string;
        timezone?: string;
        interval?: 'hour' | 'day' | 'week' | 'month';
        group_by?: 'assistant' | 'campaign' | 'status' | 'outcome' | 'answered_by' | 'type';
        variable?: string;
        metrics?: string;
        assistant_id?: number;
        campaign_id?: number;
        type?: string;
      },
      { data: CallAnalytics }
    >;
    '/user/analytics/answer-rate': Read<
      { from: string; to: string; timezone?: string; assistant_id?: number; campaign_id?: number },
      { data: AnswerRate }
    >;
  }
}
