/** npm run bench -- rest: the REST API compared with hand-written handlers on the same SQL. */
import { callPages } from './rest/call-pages.js';
import { leadStream } from './rest/lead-stream.js';
import { throughput } from './rest/throughput.js';
import { openDatabase } from './support/database.js';
import type { Finding } from './support/findings.js';

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    return [...(await throughput(database)), ...(await leadStream(database)), ...(await callPages(database))];
  } finally {
    await database.close();
  }
}
