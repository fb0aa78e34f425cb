import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A tool that an assistant may use. */
@Entity('assistant_tools')
export class AssistantTool {
  @ForeignKey('assistants', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  assistantId: number;

  @Index('assistant_tools_tool')
  @ForeignKey('tools', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  toolId: number;
}

/** A label that an assistant has. */
@Entity('assistant_labels')
export class AssistantLabel {
  @ForeignKey('assistants', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  assistantId: number;

  @Index('assistant_labels_label')
  @ForeignKey('assistant_groups', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  labelId: number;
}
