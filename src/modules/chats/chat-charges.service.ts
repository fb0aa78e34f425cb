import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { ChatBalanceTooLow } from './chats.errors.js';
import { ChatTurn } from './entities/chat.entities.js';

/** A message that was not answered by the model costs nothing: its price was given back. */
export const CHAT_LEDGER_SOURCE: LedgerSource = {
  kinds: ['chat', 'chat-refund'],
  expected: (tx) =>
    tx
      .createQueryBuilder(ChatTurn, 'turn')
      .innerJoin('chats', 'chat', 'chat.id = turn.chat_id')
      .select('chat.account_id', 'account_id')
      .addSelect(`concat(turn.chatId, '-', turn.seq)`, 'reference')
      .addSelect('0 - turn.costMicros', 'net_micros')
      .where('turn.costMicros <> 0'),
};

interface Message {
  accountId: number;
  /** As in `ChatTurn`. */
  apiKeyId: number | null;
  chatId: number;
  seq: number;
  costMicros: bigint;
}

/** The price of messages, in the transactions of the messages. */
@Injectable()
export class ChatChargesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly spendLimits: SpendLimitsService,
  ) {}

  /**
   * Last in its transaction: the account's row is locked until the commit.
   * @throws ChatBalanceTooLow, SpendLimitExceeded
   */
  async charge(tx: EntityManager, { accountId, apiKeyId, costMicros, ...message }: Message): Promise<void> {
    if (costMicros === 0n) return;
    const outcome = await this.ledger.postEntry(tx, {
      accountId,
      keyId: apiKeyId,
      kind: 'chat',
      reference: referenceOf(message),
      amountMicros: -costMicros,
      mayOverdraw: false,
      isLimited: true,
    });
    if (outcome === 'refused')
      throw await this.spendLimits.refusalOf(tx, { accountId, keyId: apiKeyId }, costMicros);
    if (outcome !== 'posted') throw new ChatBalanceTooLow();
  }

  async refund(tx: EntityManager, { accountId, apiKeyId, costMicros, ...message }: Message): Promise<void> {
    if (costMicros === 0n) return;
    await this.ledger.postEntry(tx, {
      accountId,
      keyId: apiKeyId,
      kind: 'chat-refund',
      reference: referenceOf(message),
      amountMicros: costMicros,
      mayOverdraw: true,
    });
  }
}

const referenceOf = ({ chatId, seq }: Pick<Message, 'chatId' | 'seq'>): string => `${chatId}-${seq}`;
