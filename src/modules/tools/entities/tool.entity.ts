import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { HttpMethod, ToolHeader, ToolParameter } from '../tool.types.js';

@Entity('tools')
export class Tool {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  description: string;

  @Column({ type: 'text' })
  endpoint: string;

  @Column({ type: 'text' })
  method: HttpMethod;

  /** Seconds. */
  @Column({ type: 'int' })
  timeout: number;

  @Column({ type: 'jsonb' })
  headers: ToolHeader[];

  @Column({ type: 'jsonb' })
  schema: ToolParameter[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
