import { ApiProperty } from '@nestjs/swagger';

export class MakeCallResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ enum: ['initiated'] }) status: string;
}
