import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import type { GroupColor, GroupKind } from '../group.types.js';

/** A folder or a label of an account's assistants. */
@Entity('assistant_groups')
@Check('assistant_groups_kind_check', "(kind = ANY (ARRAY['folder'::text, 'label'::text]))")
@Unique(['accountId', 'kind', 'name'])
@Index('assistant_groups_account', { synchronize: false })
export class AssistantGroup {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  kind: GroupKind;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  color: GroupColor;

  /** Those that are not deleted. Read only, from a view of the assistants' module. */
  @VirtualColumn({
    query: (alias) => `(SELECT count(*)::int FROM grouped_assistants WHERE group_id = ${alias}.id)`,
  })
  assistantsCount: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
