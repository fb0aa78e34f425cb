import { JobProcessor, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { ChatTurnsRepository } from './chat-turns.repository.js';
import { ChatTurnsService } from './chat-turns.service.js';
import { ChatsRepository } from './chats.repository.js';

/** Responds to messages of dead processes. */
@JobProcessor('chat-turn')
export class ChatTurnProcessor implements RowProcessor {
  constructor(
    private readonly rows: ChatTurnsRepository,
    private readonly chats: ChatsRepository,
    private readonly turns: ChatTurnsService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.rows.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const chat = await this.chats.findById(Number(rowId));
    if (chat) await this.turns.processMessages(chat);
  }
}
