/**
 * npm run faults -- chats [--seed N] [--broken forgets|ledger]: kills the processes while 50 text conversations use a
 * tool. Every message gets one response and is paid once, its tool runs at most once, and the history is complete.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../test/factories/account.js';
import { aWidgetAssistant, Visitor } from '../../test/factories/conversation.js';
import { database } from '../../test/support/database.js';
import { Receiver } from '../../test/support/receiver.js';
import { AccountQueries } from './support/account-queries.js';
import { crashOf, underFaults } from './support/chaos.js';
import { Cluster } from './support/cluster.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { verifyChats, type SentMessage, type StoredMessage } from './verifiers/chats.js';

export const BROKEN = {
  forgets: 'broken/forget-tools',
  ledger: 'a ledger row is changed behind the service',
};

const CONVERSATIONS = 50;
/** Enough for several kills during tools. */
const MESSAGES = 12;
const PROCESSES = [0, 1];
/** Long enough for a kill during a tool. */
const TOOL_MS = 400;
const PAUSE_MS = 2_000;
const GIVE_UP_MS = 180_000;
const RETRY_MS = 500;
const PRICE_MICROS = 10_000n;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const cluster = await Cluster.start({
    random,
    roles: ['all', 'all'],
    preload: broken === 'forgets' ? [BROKEN.forgets] : [],
    env: { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000' },
  });
  const queries = await AccountQueries.open(cluster.databases.postgresUrl);
  const tools = await Receiver.open();
  tools.reply = () => ({ body: '{"order":"shipped"}', delayMs: TOOL_MS });
  try {
    // Responses are validated against its document.
    process.env.E2E_BASE_URL = cluster.url;
    const account = await anAccount({ service: { db: database(), root: `${cluster.url}/api` } });
    const uuid = await anAssistantWithTool(account, tools.url);
    const talks = Array.from({ length: CONVERSATIONS }, (_, index) => new Talk(cluster, uuid, index));
    const done = Promise.all(talks.map((talk) => talk.hold()));
    const missing = await underFaults({ cluster, random }, [[crashOf(PROCESSES)]], done);
    if (broken === 'ledger') await queries.falsify();
    const sent = talks.flatMap((talk) => talk.sent);
    const repeated = sent.filter(({ answers }) => answers.length > 1).length;
    say(`${sent.length} messages, ${repeated} asked for again, ${tools.received.length} tools run`);
    const history = (await Promise.all(talks.map((talk) => talk.history()))).flat();
    const toolRuns = countBy(tools.received.map(({ body }) => String(body['question'])));
    const taken = await queries.takenForChats();
    const wrong = verifyChats({
      sent,
      history,
      toolRuns,
      taken,
      priceMicros: PRICE_MICROS,
      audit: await queries.audit(),
    });
    return [...missing, ...cluster.endedByThemselves(), ...wrong];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await tools.close();
    await queries.close();
    await cluster.stop();
  }
}

async function anAssistantWithTool(account: TestAccount, endpoint: string): Promise<string> {
  const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
    name: 'order_status',
    description: 'Looks up where an order is.',
    endpoint,
    method: 'POST',
    schema: [{ name: 'question', type: 'string', description: 'What is asked.' }],
  });
  return (await aWidgetAssistant(account, { tool_ids: [body.data.id], initial_message: 'Hello.' })).uuid;
}

/** One conversation: each message is sent to the processes in turn until it gets a response, and then once more. */
class Talk {
  readonly sent: SentMessage[] = [];
  private id = '';
  private turn = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly uuid: string,
    private readonly index: number,
  ) {}

  async hold(): Promise<void> {
    const begin = { 'Idempotency-Key': randomUUID() };
    this.id = await this.surely(async (visitor) => {
      const { status, body } = await visitor.begin(this.uuid, {}, begin);
      return status === 200 ? body.conversation_id : null;
    });
    for (let number = 0; number < MESSAGES; number += 1) await this.say(number);
  }

  async history(): Promise<StoredMessage[]> {
    const messages = await this.surely((visitor) => visitor.history(this.id));
    // The first is the greeting.
    return messages.slice(1).map(({ role, content }) => ({
      conversation: this.id,
      role: role as StoredMessage['role'],
      content,
    }));
  }

  /** Every other message has a key, and is sent once more after its response. */
  private async say(number: number): Promise<void> {
    const text = `Where is order ${this.index}-${number}?`;
    const message: SentMessage = { conversation: this.id, text, answers: [] };
    this.sent.push(message);
    const isKeyed = (this.index + number) % 2 === 0;
    const headers = isKeyed ? { 'Idempotency-Key': randomUUID() } : {};
    for (let left = isKeyed ? 2 : 1; left > 0; left -= 1) {
      const answer = await this.surely(async (visitor) => {
        const { status, body } = await visitor.say(this.id, text, headers);
        return status === 200 ? body.message : null;
      });
      message.answers.push(answer);
    }
    await sleep(Math.random() * PAUSE_MS);
  }

  private async surely<T>(ask: (visitor: Visitor) => Promise<T | null>): Promise<T> {
    for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline; await sleep(RETRY_MS)) {
      const url = this.cluster.urlOf(PROCESSES[this.turn++ % PROCESSES.length] ?? 0);
      const answer = await ask(new Visitor(`${url}/api`)).catch(() => null);
      if (answer !== null) return answer;
    }
    throw new Error('a message was never answered');
  }
}

function countBy(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
