import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

@Entity('plans')
export class Plan {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'max_tools', type: 'int' })
  maxTools: number;

  @Column({ name: 'max_assistants', type: 'int' })
  maxAssistants: number;

  @Column({ name: 'max_campaigns', type: 'int' })
  maxCampaigns: number;

  @Column({ name: 'max_leads_per_campaign', type: 'int' })
  maxLeadsPerCampaign: number;

  @Column({ name: 'max_parallel_calls', type: 'int' })
  maxParallelCalls: number;

  @Column(bigintColumn('price_per_minute_micros'))
  pricePerMinuteMicros: bigint;
}
