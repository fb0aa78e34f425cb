import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '#src/http/scopes.js';

class CarrierResponse {
  @ApiProperty({ example: 'twilio' }) name: string;
  @ApiProperty({ description: 'Whether no real call is made and no message is sent.' }) sandbox: boolean;
}

class ModelResponse {
  @ApiProperty({ description: 'Whether answers come from a script.' }) sandbox: boolean;
}

class PlanResponse {
  @ApiProperty({ example: 'standard' }) name: string;
  @ApiProperty({ type: 'integer' }) max_parallel_calls: number;
  @ApiProperty({ type: 'integer' }) max_tools: number;
  @ApiProperty({ type: 'integer' }) max_assistants: number;
  @ApiProperty({ type: 'integer' }) max_campaigns: number;
  @ApiProperty({ type: 'integer' }) max_leads_per_campaign: number;
  @ApiProperty({ description: "Added to the carrier's cost, per started minute.", example: 0.05 })
  price_per_minute: number;
  @ApiProperty({ description: 'Of a message in a text conversation.', example: 0.01 })
  price_per_message: number;
}

class FeaturesResponse {
  @ApiProperty({ description: 'Whether `/docs` is served.' }) docs: boolean;
}

export class ConsoleResponse {
  @ApiProperty({ example: '0.1.0', description: 'Of the service.' }) version: string;
  @ApiProperty({ example: 'https://calls.example.com', description: '`PUBLIC_URL`.' }) public_url: string;
  @ApiProperty({ type: CarrierResponse }) carrier: CarrierResponse;
  @ApiProperty({ type: ModelResponse }) model: ModelResponse;
  @ApiProperty({ example: 'USD', description: 'ISO 4217: what all amounts are in.' }) currency: string;
  @ApiProperty({ example: 'DE', description: 'ISO 3166-1 alpha-2.' }) country: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Europe/Berlin',
    description: "Of the account's country; null where that has several.",
  })
  time_zone: string | null;
  @ApiProperty({ enum: SCOPES, isArray: true, description: 'What the token opens.' }) scopes: Scope[];
  @ApiProperty({ type: PlanResponse }) plan: PlanResponse;
  @ApiProperty({
    description:
      'Whether the database was restored and waits for its release: changes are a 503, and nothing is dialled.',
  })
  restored: boolean;
  @ApiProperty({ type: FeaturesResponse }) features: FeaturesResponse;
}
