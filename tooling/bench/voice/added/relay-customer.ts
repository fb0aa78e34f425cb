import { once } from 'node:events';
import { WebSocket } from 'ws';
import { MS_PER_CHARACTER, Playback } from '../../../sandbox/carrier/playback.js';
import { parseFrame, turnDefaults } from '../../../sandbox/carrier/relay-frames.js';
import type { ClockSpeed } from '../../../sandbox/clock-speed.js';
import { questionOf } from '../../support/customer-names.js';
import { SPEECH_MS } from './take-turns.js';
import type { TurnLatencies } from './turn-latencies.js';

const OPTIONS = turnDefaults({});

/** A customer on a relay line, whose carrier reports playback and speech. */
export class RelayCustomer {
  private readonly playback: Playback;

  /** @param name of the customer */
  constructor(
    private readonly socket: WebSocket,
    private readonly name: string,
    private readonly latencies: TurnLatencies,
    clock: ClockSpeed,
  ) {
    this.playback = new Playback(clock, {
      started: () => this.tell('agentSpeaking', 'on'),
      ended: ({ heard }) => {
        this.tell('tokensPlayed', heard);
        this.tell('agentSpeaking', 'off');
      },
    });
    socket.on('message', (data) => this.receive(String(data)));
  }

  /** @param sid of the call */
  async open(sid: string): Promise<void> {
    await once(this.socket, 'open');
    this.send({ type: 'setup', sessionId: 'VX1', callSid: sid, customParameters: {} });
  }

  speak(): void {
    this.tell('clientSpeaking', 'on');
    setTimeout(() => this.ask(), SPEECH_MS);
  }

  close(): void {
    this.playback.stop();
    this.socket.close(1000);
  }

  private ask(): void {
    this.tell('clientSpeaking', 'off');
    this.latencies.stimulate();
    this.send({ type: 'prompt', voicePrompt: questionOf(this.name), lang: 'en-US', last: true });
  }

  private receive(data: string): void {
    const at = performance.now();
    const frame = parseFrame(data);
    if (frame?.type !== 'text') return;
    if (frame.token.trim() !== '') this.latencies.hear(at, frame.token.length * MS_PER_CHARACTER);
    this.playback.add(frame.token, frame.last, OPTIONS);
  }

  private tell(name: string, value: string): void {
    this.send({ type: 'info', name, value, ts: Date.now() });
  }

  private send(frame: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
