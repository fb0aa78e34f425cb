import type { WebSocket } from 'ws';
import { incomingCall } from '../support/incoming-call.js';
import { startServer } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';
import { noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { withVoiceService, type VoiceService } from '../support/voice-service.js';
import { beginWebCall } from '../support/web-call.js';
import { openAudioBrowser } from './audio-browser.js';
import { PCM_FRAME_BYTES, ULAW_FRAME_BYTES } from './audio-frames.js';
import { bridgeFindings, measureWindow, type BothWays, type Window } from './bridge-window.js';
import { openStream } from './carrier-stream.js';
import { FrameTimes } from './frame-times.js';
import { Pacer } from './pacer.js';
import { processFigures } from './process-figures.js';
import { RealtimeEndpoint } from './realtime-endpoint.js';

/** Calls over audio, in 20 ms frames both ways. */
interface Kind {
  name: string;
  count: number;
  frameBytes: number;
  /** Opens a call's line, with a customer who speaks without a pause. */
  open(url: string, headers: Record<string, string>, pacer: Pacer, times: BothWays): Promise<WebSocket>;
  /** URL at which the service accepts the line of the next call. */
  line(voice: VoiceService, call: number): Promise<{ url: string; headers: Record<string, string> }>;
}

const PHONE: Kind = {
  name: 'calls',
  count: positive('BENCH_PHONE_CALLS', 150),
  frameBytes: ULAW_FRAME_BYTES,
  open: openStream,
  line: ({ service, number }, call) =>
    incomingCall(service.url, number, `+1212555${String(1000 + call)}`, 'Stream'),
};

const BROWSERS: Kind = {
  name: 'web calls over audio',
  count: positive('BENCH_WEB_CALLS', 100),
  frameBytes: PCM_FRAME_BYTES,
  open: openAudioBrowser,
  line: async (voice) => ({ url: (await beginWebCall(voice)).url, headers: {} }),
};

export const phoneCalls = (database: BenchDatabase): Promise<Finding[]> => measure(database, PHONE);
export const browserCalls = (database: BenchDatabase): Promise<Finding[]> => measure(database, BROWSERS);

interface Bridge {
  kind: Kind;
  pacer: Pacer;
  times: BothWays;
  modelUrl: string;
}

async function measure(database: BenchDatabase, kind: Kind): Promise<Finding[]> {
  const peer = await withBridge(kind, (bridge) => forwarded(bridge));
  const { memory, ...own } = await withBridge(kind, (bridge) => bridged(database, bridge));
  const what = `${kind.count} ${kind.name}`;
  return [...bridgeFindings(what, own, peer), noted(`${what}: memory of each`, 'kB', memory)];
}

async function withBridge<T>(kind: Kind, work: (bridge: Bridge) => Promise<T>): Promise<T> {
  const pacer = new Pacer();
  const times = { toModel: new FrameTimes(), fromModel: new FrameTimes() };
  const endpoint = new RealtimeEndpoint(pacer, times, kind.frameBytes);
  const modelUrl = await endpoint.start();
  try {
    return await work({ kind, pacer, times, modelUrl });
  } finally {
    pacer.stop();
    await endpoint.stop();
  }
}

async function forwarded({ kind, pacer, times, modelUrl }: Bridge): Promise<Window> {
  say(`realtime: ${kind.count} ${kind.name}, forwarded`);
  const forwarder = await startServer(['dist/tooling/bench/realtime/forwarder.js'], {
    env: { FORWARD_TO: modelUrl.replace('http', 'ws') },
    echo: true,
  });
  try {
    for (let call = 0; call < kind.count; call++)
      await kind.open(forwarder.url.replace('http', 'ws'), {}, pacer, times);
    return await measureWindow(forwarder.url, times);
  } finally {
    await forwarder.stop();
  }
}

async function bridged(
  database: BenchDatabase,
  { kind, pacer, times, modelUrl }: Bridge,
): Promise<Window & { memory: number }> {
  say(`realtime: ${kind.count} ${kind.name}, bridged`);
  const multimodal = { engine_type: 'multimodal', llm_model: 'gpt-realtime-2.1' };
  return withVoiceService(database, modelUrl, multimodal, async (voice) => {
    const { url: service } = voice.service;
    const before = await processFigures(service);
    for (let call = 0; call < kind.count; call++) {
      const { url, headers } = await kind.line(voice, call);
      await kind.open(url, headers, pacer, times);
    }
    const window = await measureWindow(service, times);
    return { ...window, memory: ((window.megabytes - before.megabytes) * 1024) / kind.count };
  });
}
