import Fastify from 'fastify';
import { Network } from './carrier/network.js';
import { restApi } from './carrier/rest-api.js';
import { controlRoutes } from './control.routes.js';
import { Journal } from './journal.js';
import { modelRoutes } from './model/model.routes.js';
import { realtimeSocket } from './model/realtime-socket.js';
import { cartesiaSocket } from './providers/cartesia-socket.js';
import { deepgramFluxSocket } from './providers/deepgram-flux-socket.js';
import { deepgramListenSocket } from './providers/deepgram-listen-socket.js';
import { deepgramSpeakSocket } from './providers/deepgram-speak-socket.js';
import { elevenLabsSocket } from './providers/elevenlabs-socket.js';
import { ProviderDesk } from './providers/provider-speech.js';
import { socketRoutes } from './socket-routes.js';
import { ClockSpeed } from './clock-speed.js';

/** The limit of the providers' middle plans. */
const SPEECH_CONCURRENCY = 15;

export interface SandboxOptions {
  /** 0 selects a free one. */
  port: number;
  /** Default 127.0.0.1: this machine only. On any other address the journal requires the credentials. */
  host?: string;
  accountSid: string;
  authToken: string;
  apiKey: string;
  /** JSON lines; without it the journal is kept in memory. */
  journalFile?: string;
  /** Divides simulated times, default 1. */
  speed?: number;
  /** Voice URL of calls to the account's numbers; can be set later with PUT /config. */
  publicNumberWebhook?: string;
  /** Status callback URL of the end of such a call. */
  publicNumberStatusCallback?: string;
  /**
   * Seconds for which instructions are requested while the service does not respond. Default 0: one retry, like the
   * carrier; more for runs that restart the service in the middle of calls.
   */
  patienceSeconds?: number;
  /** Texts that the speech providers synthesize concurrently. Default 15. */
  speechConcurrency?: number;
}

export interface Sandbox {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a simulated carrier with Twilio's interface, a model with OpenAI's interface and speech providers with those
 * of ElevenLabs, Cartesia and Deepgram on one port. It shares no code with the service; both communicate only through
 * HTTP and WebSocket.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', speed = 1 } = options;
  const journal = new Journal(options.journalFile);
  const network = new Network({
    accountSid: options.accountSid,
    authToken: options.authToken,
    clockSpeed: new ClockSpeed(speed),
    journal,
    publicUrl: '',
    voiceUrl: options.publicNumberWebhook ?? null,
    statusCallback: options.publicNumberStatusCallback ?? null,
    patienceMs: (options.patienceSeconds ?? 0) * 1000,
  });
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: 4 * 1024 * 1024,
    // Users choose the names of an evaluation's fields, `__proto__` and `constructor` included.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    // The schemas are constants: compiling the meta-schema for them takes a tenth of the start.
    ajv: { customOptions: { validateSchema: false } },
  });
  restApi(app, network);
  const desk = new ProviderDesk(options.apiKey, options.speechConcurrency ?? SPEECH_CONCURRENCY, speed);
  modelRoutes(app, options.apiKey, desk);
  controlRoutes(app, { network, desk }, options, host);
  socketRoutes(app, [
    realtimeSocket(options.apiKey, speed),
    elevenLabsSocket(desk),
    cartesiaSocket(desk),
    deepgramSpeakSocket(desk),
    deepgramListenSocket(desk),
    deepgramFluxSocket(desk),
  ]);
  const url = await app.listen({ port: options.port, host });
  network.publicUrl = url;
  return {
    url,
    close: async () => {
      await network.close();
      await app.close();
      journal.close();
    },
  };
}
