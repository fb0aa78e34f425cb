import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { HttpMethod, ToolParameter } from '../tool.types.js';

@Entity('tools')
@Index('tools_account', { synchronize: false })
export class Tool {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
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

  /** `ToolHeader[]` as JSON, encrypted. */
  @Column({ type: 'text' })
  headers: string;

  @Column({ type: 'jsonb' })
  schema: ToolParameter[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
