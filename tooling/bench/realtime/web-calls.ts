import { setTimeout as sleep } from 'node:timers/promises';
import { customerName } from '../support/customer-names.js';
import type { BenchDatabase } from '../support/database.js';
import { noted, type Finding } from '../support/findings.js';
import { positive, SECONDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { quantile } from '../support/stats.js';
import { ChatEndpoint } from './chat-endpoint.js';
import { cpuShare, processFigures } from './process-figures.js';
import { TextBrowser } from './text-browser.js';
import { withVoiceService } from '../support/voice-service.js';
import { beginWebCall } from '../support/web-call.js';

const CALLS = positive('BENCH_WEB_CALLS', 100);
/** Every browser has sent one question by then. */
const WARM_UP_MS = 6_000;
const WINDOW_MS = SECONDS * 3_000;

/** Calls from browsers on a text line, each with a question every few seconds. */
export async function webCalls(database: BenchDatabase): Promise<Finding[]> {
  say(`realtime: ${CALLS} web calls`);
  const browsers = new Map<string, TextBrowser>();
  const endpoint = new ChatEndpoint({
    requestArrived: (name) => browsers.get(name)?.asked(),
    responseBegan: (name) => browsers.get(name)?.answered(),
  });
  const modelUrl = await endpoint.start();
  try {
    return await withVoiceService(database, modelUrl, {}, async (voice) => {
      const { service } = voice;
      const before = await processFigures(service.url);
      for (let call = 0; call < CALLS; call++) {
        const name = customerName(call);
        const browser = new TextBrowser(name);
        browsers.set(name, browser);
        await browser.open((await beginWebCall(voice)).url);
      }
      await sleep(WARM_UP_MS);
      const all = [...browsers.values()];
      const began = await processFigures(service.url);
      for (const browser of all) browser.measure();
      await sleep(WINDOW_MS);
      const ended = await processFigures(service.url);
      for (const browser of all) browser.close();
      const toModel = all.flatMap((browser) => browser.toModel);
      const what = `${CALLS} web calls in text`;
      return [
        noted(`${what}: questions`, '/s', (toModel.length * 1000) / WINDOW_MS),
        noted(`${what}: question → model request, p95`, 'ms', quantile(toModel, 0.95)),
        noted(
          `${what}: first delta → frame out, p95`,
          'ms',
          quantile(
            all.flatMap((browser) => browser.toBrowser),
            0.95,
          ),
        ),
        noted(`${what}: CPU of the process`, '%', cpuShare(began, ended)),
        noted(`${what}: event loop, p99`, 'ms', ended.loopP99Ms),
        noted(`${what}: memory of each`, 'kB', ((ended.megabytes - before.megabytes) * 1024) / CALLS),
      ];
    });
  } finally {
    for (const browser of browsers.values()) browser.close();
    await endpoint.stop();
  }
}
