import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Scope } from '#src/http/scopes.js';

/** The token of an API key. */
@Entity('access_tokens')
@Check(
  'access_tokens_scopes_check',
  "((scopes <@ ARRAY['read'::text, 'calls'::text, 'messages'::text, 'write'::text, 'admin'::text]) AND (cardinality(scopes) > 0))",
)
export class AccessToken {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Index('access_tokens_account')
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  name: string;

  /** SHA-256 of the token, hexadecimal. */
  @Column({ type: 'text', unique: true })
  tokenHash: string;

  /** Never changed: what a token may do is decided when it is created. */
  @Column({ type: 'text', array: true, default: ['read', 'calls', 'messages', 'write', 'admin'] })
  scopes: Scope[];

  /** At most once a minute, see `TokenUsageService`. */
  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  /** The address of the client at `lastUsedAt`. */
  @Column({ type: 'text', nullable: true })
  lastUsedAddress: string | null;

  /** Addresses and CIDR ranges of the clients that may use it; empty: all. */
  @Column({ type: 'text', array: true, default: [] })
  allowedAddresses: string[];

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
