import { ApiProperty } from '@nestjs/swagger';

export class ReplayedResponse {
  @ApiProperty({ type: 'integer', description: 'Deliveries that go out again.' }) replayed: number;
}
