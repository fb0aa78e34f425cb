import { ApiProperty } from '@nestjs/swagger';

/** Of a limit that may be missing. */
export const SPEND_LIMIT = { type: Number, nullable: true, example: 25 } as const;

export const SPENT_THIS_HOUR =
  'Charged in the current hour of the clock (UTC), and held by running calls; both count against the limit.';

export class SpendLimitResponse {
  @ApiProperty({ ...SPEND_LIMIT, description: 'Null: no limit.' })
  spend_limit_per_hour: number | null;
  @ApiProperty({ description: SPENT_THIS_HOUR, example: 12.5 }) spent_this_hour: number;
  @ApiProperty({ example: '2026-01-31T10:00:00.000000Z', description: 'When the limit begins anew.' })
  hour_ends_at: string;
}
