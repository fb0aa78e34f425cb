/**
 * npm run bench -- realtime [--only phone|audio|web]: calls of a multimodal assistant between a carrier's media
 * streams, or browsers, and a realtime model, beside a process that only forwards the same frames; and web calls over
 * their text line. Carrier, model and browsers are simulated in this process.
 */
import { browserCalls, phoneCalls } from './realtime/audio-calls.js';
import { webCalls } from './realtime/web-calls.js';
import { openDatabase } from './support/database.js';
import type { Finding } from './support/findings.js';

const PARTS = { phone: phoneCalls, audio: browserCalls, web: webCalls };
export const parts = Object.keys(PARTS);

export async function run(only?: string): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    for (const [name, measure] of Object.entries(PARTS)) {
      if (only === undefined || only === name) findings.push(...(await measure(database)));
    }
    return findings;
  } finally {
    await database.close();
  }
}
