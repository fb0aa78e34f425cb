import { isDeepStrictEqual } from 'node:util';
import type {
  RealtimeConnection,
  RealtimeEvent,
  RealtimeModel,
  RealtimeSettings,
} from '../../speech/realtime-model.js';
import type { Clock } from '../engine/clock.js';

/** Time in which the carrier opens the stream after its notice; the session is closed then. */
const STREAM_TIMEOUT_MS = 15_000;
/** Maximum of open sessions without a call; more are opened with their call. */
const MAX_EARLY = 200;

interface EarlyConnection {
  settings: RealtimeSettings;
  connection: Promise<RealtimeConnection>;
  listener: (event: RealtimeEvent) => void;
  /** The provider has closed it. */
  isLost: boolean;
  cancel: () => void;
}

/**
 * Sessions with realtime models that are opened while the carrier speaks the notice, before the stream of the call.
 * They cost nothing without audio; one that is not used is closed. Another process opens its own.
 */
export class EarlyConnections {
  private readonly open = new Map<number, EarlyConnection>();

  constructor(
    private readonly model: RealtimeModel,
    private readonly clock: Clock,
  ) {}

  /** @param noticeMs duration of the notice before the stream */
  prepare(callId: number, settings: RealtimeSettings, noticeMs: number): void {
    this.discard(callId);
    if (this.open.size >= MAX_EARLY) return;
    const early: EarlyConnection = {
      settings,
      connection: this.model.connect(settings, (event) => {
        early.isLost ||= event.kind === 'closed';
        early.listener(event);
      }),
      listener: () => undefined,
      isLost: false,
      cancel: this.clock.setTimeout(() => this.discard(callId), noticeMs + STREAM_TIMEOUT_MS),
    };
    // The call decides what follows from a failure.
    early.connection.catch(() => undefined);
    this.open.set(callId, early);
  }

  /** Opens a session, or takes the prepared one. @throws RealtimeModelError */
  async connect(
    callId: number,
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    const early = this.open.get(callId);
    if (!early || early.isLost || !isDeepStrictEqual(early.settings, settings)) {
      this.discard(callId);
      return this.model.connect(settings, onEvent);
    }
    this.open.delete(callId);
    early.cancel();
    early.listener = onEvent;
    return early.connection;
  }

  closeAll(): void {
    for (const callId of Array.from(this.open.keys())) this.discard(callId);
  }

  /** The call has ended without a stream. */
  discard(callId: number): void {
    const early = this.open.get(callId);
    if (!early) return;
    this.open.delete(callId);
    early.cancel();
    void early.connection.then((connection) => connection.close()).catch(() => undefined);
  }
}
