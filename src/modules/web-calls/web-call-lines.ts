import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { describeError } from '#src/common/errors/describe-error.js';
import { addToLogContext, runWithLogContext } from '#src/common/logging/log-context.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { ENDED_BY_USER_REASON } from '#src/modules/calls/states/call-hang-up.service.js';
import type { CallView } from '../calls/call.view.js';
import { BrowserSocket } from './browser-socket.js';
import type { RequestedLine, WebConversationsService } from './web-conversations.service.js';

const BEAT_MS = 10_000;
/** After `end` the browser closes the socket itself; one that does not is closed after this time. */
const CLOSE_GRACE_MS = 5_000;
/** How long the last turns may take to be stored when the process stops. */
const SETTLE_LIMIT_MS = 5_000;

/** How late a call is hung up that its user ends, in whichever process; one statement for all lines. */
const HANG_UP_POLL_MS = 500;

interface OpenLine {
  call: CallView;
  socket: BrowserSocket;
  over: Promise<void>;
}

/** The lines of web calls that are open in this process, by the token that opens each again. */
export class WebCallLines {
  private readonly logger = new Logger(WebCallLines.name);
  private readonly lines = new Map<string, OpenLine>();
  private timer: NodeJS.Timeout | null = null;
  private readonly hangUps = new PeriodicTask(
    HANG_UP_POLL_MS,
    () => this.hangUpEnded(),
    (error) => this.logger.warn('Ended web calls were not looked up; trying again', describeError(error)),
  );

  constructor(private readonly conversations: WebConversationsService) {}

  get count(): number {
    return this.lines.size;
  }

  start(): void {
    this.timer ??= setInterval(() => this.beat(), BEAT_MS).unref();
    this.hangUps.start();
  }

  stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    return this.hangUps.stop();
  }

  /** Whether the token opens a line again that this process holds. */
  holdsLine(token: string): boolean {
    return this.lines.get(token)?.socket.open ?? false;
  }

  /** @returns false when the line was closed meanwhile */
  resumeLine(token: string, socket: WebSocket): boolean {
    const line = this.lines.get(token);
    if (!line?.socket.open) return false;
    line.socket.resume(socket);
    return true;
  }

  openLine(call: CallView, socket: WebSocket, wanted: RequestedLine): void {
    const line = new BrowserSocket(socket);
    const over = runWithLogContext({}, () =>
      withConnectionQuota(call.accountId, () => this.converse(call, line, wanted)),
    );
    this.lines.set(call.token, { call, socket: line, over });
    void over.then(() => this.lines.delete(call.token));
  }

  /** Lets the browsers open their lines at another process; resolves after 5 s at the latest. */
  async moveLinesToOtherProcess(): Promise<void> {
    const lines = [...this.lines.values()];
    for (const { socket } of lines) socket.moveToOtherProcess();
    const all = Promise.all(lines.map(({ over }) => over));
    await Promise.race([all, sleep(SETTLE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async converse(call: CallView, socket: BrowserSocket, wanted: RequestedLine): Promise<void> {
    addToLogContext({ callId: call.id });
    try {
      await this.conversations.runConversation(call, socket, wanted);
      if (socket.closeReason === 'handed-over') return;
      await this.conversations.closeLine(call, socket.closeReason !== 'hang-up');
    } catch (error) {
      // Call reconciliation ends the call.
      this.logger.error(
        'The conversation failed; call reconciliation ends the call',
        error instanceof Error ? error.stack : undefined,
      );
    } finally {
      socket.closeAfter(socket.open ? CLOSE_GRACE_MS : 0);
      socket.close('hang-up');
    }
  }

  private async hangUpEnded(): Promise<void> {
    const open = [...this.lines.values()].filter(({ socket }) => socket.open);
    if (open.length === 0) return;
    const ended = await this.conversations.findDueHangUps(open.map(({ call }) => call.id));
    for (const { call, socket } of open) {
      if (!ended.has(call.id)) continue;
      socket.send({ type: 'end', reason: ENDED_BY_USER_REASON });
      socket.close('hang-up');
    }
  }

  private beat(): void {
    const lines = [...this.lines.values()];
    for (const { socket } of lines) socket.sendPing();
    if (lines.length === 0) return;
    const ids = lines.map(({ call }) => call.id);
    this.conversations
      .renewLines(ids)
      .catch((error: unknown) =>
        this.logger.warn('Open lines of web calls were not renewed; trying again', describeError(error)),
      );
  }
}
