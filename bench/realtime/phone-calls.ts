import { SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { signRequest } from '../../sandbox/carrier/signature.js';
import { incomingCall } from '../support/incoming-call.js';
import { startChild } from '../support/child.js';
import type { BenchDatabase } from '../support/database.js';
import { noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { bridgeFindings, measureWindow, type BothWays, type Window } from './bridge-window.js';
import { openStream } from './carrier-stream.js';
import { FrameTimes } from './frame-times.js';
import { Pacer } from './pacer.js';
import { processFigures } from './process-figures.js';
import { RealtimeEndpoint } from './realtime-endpoint.js';
import { withVoiceService } from '../support/voice-service.js';

const CALLS = positive('BENCH_PHONE_CALLS', 150);

/** Both directions of all calls, in 20 ms frames. */
interface Bridge {
  pacer: Pacer;
  times: BothWays;
  modelUrl: string;
}

export async function phoneCalls(database: BenchDatabase): Promise<Finding[]> {
  const peer = await withBridge((bridge) => forwarded(bridge));
  const { memory, ...own } = await withBridge((bridge) => bridged(database, bridge));
  return [
    ...bridgeFindings(`${CALLS} calls`, own, peer),
    noted(`${CALLS} calls: memory of each`, 'kB', memory),
  ];
}

async function withBridge<T>(work: (bridge: Bridge) => Promise<T>): Promise<T> {
  const pacer = new Pacer();
  const times = { toModel: new FrameTimes(), fromModel: new FrameTimes() };
  const endpoint = new RealtimeEndpoint(pacer, times);
  const modelUrl = await endpoint.start();
  try {
    return await work({ pacer, times, modelUrl });
  } finally {
    pacer.stop();
    await endpoint.stop();
  }
}

async function forwarded({ pacer, times, modelUrl }: Bridge): Promise<Window> {
  say(`realtime: ${CALLS} calls, forwarded`);
  const forwarder = await startChild(['dist/bench/realtime/forwarder.js'], {
    FORWARD_TO: modelUrl.replace('http', 'ws'),
  });
  try {
    for (let call = 0; call < CALLS; call++) {
      await openStream(forwarder.url.replace('http', 'ws'), {}, pacer, times);
    }
    return await measureWindow(forwarder.url, times);
  } finally {
    await forwarder.stop();
  }
}

async function bridged(
  database: BenchDatabase,
  { pacer, times, modelUrl }: Bridge,
): Promise<Window & { memory: number }> {
  say(`realtime: ${CALLS} calls, bridged`);
  const multimodal = { engine_type: 'multimodal', llm_model: 'gpt-realtime' };
  return withVoiceService(database, modelUrl, multimodal, async ({ service, number }) => {
    const before = await processFigures(service.url);
    for (let call = 0; call < CALLS; call++) {
      const { url } = await incomingCall(service.url, number, `+1212555${String(1000 + call)}`, 'Stream');
      await openStream(url, { 'x-twilio-signature': signRequest(SANDBOX_AUTH_TOKEN, url) }, pacer, times);
    }
    const window = await measureWindow(service.url, times);
    return { ...window, memory: ((window.megabytes - before.megabytes) * 1024) / CALLS };
  });
}
