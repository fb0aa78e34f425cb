import { ApiProperty } from '@nestjs/swagger';
import { INTERVALS, METRICS, type Interval, type Metric } from './analytics-query.dto.js';

const figures = (value: object, description?: string) =>
  ApiProperty({
    type: 'object',
    additionalProperties: value as never,
    ...(description === undefined ? {} : { description }),
  });
const FIGURE = { type: 'number', nullable: true };

class SeriesResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id or the value; `other` for groups behind the twenty biggest; null without groups.',
  })
  key: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The name, of an assistant or a campaign.' })
  label: string | null;
  @figures({ type: 'array', items: FIGURE }, 'By metric, one figure for each interval.')
  values: Partial<Record<Metric, (number | null)[]>>;
  @figures(FIGURE, 'By metric, of the whole range.')
  totals: Partial<Record<Metric, number | null>>;
}

export class CallAnalyticsResponse {
  @ApiProperty({ enum: INTERVALS }) interval: Interval;
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ enum: METRICS, isArray: true }) metrics: Metric[];
  @ApiProperty({
    type: [String],
    example: ['2026-01-31T00:00:00+01:00'],
    description: 'When each interval begins. The first and the last one have only what is in the range.',
  })
  buckets: string[];
  @ApiProperty({ type: [SeriesResponse], description: 'The biggest group first.' })
  series: SeriesResponse[];
  @figures(FIGURE, 'Of all series.')
  totals: Partial<Record<Metric, number | null>>;
}

class AnswerTotalsResponse {
  @ApiProperty({ type: 'integer' }) calls: number;
  @ApiProperty({ type: 'integer', description: 'Not by a machine.' }) answered: number;
  @ApiProperty({ type: Number, nullable: true, example: 0.41, description: 'Null without calls.' })
  rate: number | null;
}

class AnswerCellResponse extends AnswerTotalsResponse {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7, description: 'Monday is 1.' }) weekday: number;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 23 }) hour: number;
}

export class AnswerRateResponse {
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ type: [AnswerCellResponse], description: 'Each hour of each weekday, 168.' })
  cells: AnswerCellResponse[];
  @ApiProperty({ type: AnswerTotalsResponse }) totals: AnswerTotalsResponse;
}
