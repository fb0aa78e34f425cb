import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ResponseText } from '#src/modules/llm/response/response-text.js';
import { LanguageModelError, type ModelDelta, type StreamRequest } from '#src/modules/llm/language-model.js';
import { OpenAiLanguageModelService } from '#src/modules/llm/openai-language-model.service.js';
import { DIALECT_NAMES } from '../../sandbox/model/dialects.js';
import { conclude } from '../support/conclude.js';
import { seeded } from '../support/random.js';
import { numberOption, say } from '../support/run-options.js';
import { FuzzFindings } from './fuzz-findings.js';
import { mutatedStream, TOOLS, type MutatedStream } from './mutated-streams.js';
import { streamProblems, type StreamReading } from './verify-streams.js';

const STREAMS = 20_000;
const BROKEN_STREAMS = 1_000;
const CONCURRENCY = 8;
/** Characters of a body that are printed. */
const SHOWN = 3_000;

/** Streams of model servers in all dialects, changed, read by the service's own client over HTTP. */
export async function fuzzStreams(args: string[], seed: number, variant: string | null): Promise<void> {
  const broken = variant !== null;
  const streams = numberOption(args, '--streams', broken ? BROKEN_STREAMS : STREAMS);
  const restore = broken ? readNaively() : () => undefined;
  const server = new StreamServer();
  const baseUrl = await server.start();
  const findings = new FuzzFindings();
  const random = seeded(seed);
  try {
    let left = streams;
    const client = async (): Promise<void> => {
      while (left-- > 0) await judge(mutatedStream(random), baseUrl, server, findings);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
  } finally {
    restore();
    await server.stop();
  }
  findings.print('');
  say(`${streams} streams in ${DIALECT_NAMES.length} dialects`);
  conclude(findings.problems(), { broken, planted: /a thought was spoken/ });
}

async function judge(
  stream: MutatedStream,
  baseUrl: string,
  server: StreamServer,
  findings: FuzzFindings,
): Promise<void> {
  const key = server.offer(stream.chunks);
  // A separate model for each stream, without a learned state.
  const model = new OpenAiLanguageModelService(
    { baseUrl, apiKey: key, endpoints: {} },
    { findChatModel: chatModel },
  );
  for (const isSpoken of [true, false]) {
    const read = await readAll(model, isSpoken);
    const { dialect, decision, isWhole } = stream;
    for (const problem of streamProblems(decision, isWhole, read, dialect === 'llama')) {
      const reproduction = (): string =>
        `${JSON.stringify({ decision, read })}\n${Buffer.concat(stream.chunks).toString().slice(0, SHOWN)}`;
      findings.note(`${dialect} (${isSpoken ? 'spoken' : 'written'}): ${problem}`, reproduction);
    }
  }
  server.forget(key);
  await model.onApplicationShutdown();
}

const chatModel = async (code: string) => ({
  code,
  endpoint: null,
  takesTemperature: true,
  outputLimitField: 'max_tokens' as const,
  reasoningEffort: null,
});

async function readAll(model: OpenAiLanguageModelService, isSpoken: boolean): Promise<StreamReading> {
  const parameters = { type: 'object', properties: { day: { type: 'string' } } };
  const request: StreamRequest = {
    model: 'odd',
    temperature: 0,
    messages: [{ role: 'customer', text: 'Hello?' }],
    tools: TOOLS.map((name) => ({ name, description: name, parameters })),
    mayCallTools: true,
    maxOutputTokens: 500,
    ...(isSpoken && { speech: { prompt: '' } }),
  };
  const read: StreamReading = { text: '', calls: [], failed: false };
  try {
    for await (const delta of model.stream(request, new AbortController().signal)) add(read, delta, isSpoken);
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error;
    read.failed = true;
    // A body that is read only when complete is not read at all then.
    if (!isSpoken) read.text = '';
  }
  return read;
}

function add(read: StreamReading, delta: ModelDelta, isSpoken: boolean): void {
  if (delta.kind === 'text') read.text += delta.text;
  // Spoken text cannot be withdrawn.
  else if (delta.kind === 'retract') read.text = isSpoken ? read.text : '';
  else if (delta.kind === 'tool_call') read.calls.push(delta);
  else if (delta.kind === 'stopped') read.failed = true;
}

/** The planted defect: the text of a response is spoken as it arrives. @returns a function that removes the defect */
function readNaively(): () => void {
  const { push } = ResponseText.prototype;
  ResponseText.prototype.push = (piece) => piece;
  return () => void (ResponseText.prototype.push = push);
}

/** Responds with the stream offered for the key of the request. */
class StreamServer {
  private readonly offered = new Map<string, readonly Uint8Array[]>();
  private offers = 0;
  private readonly server: Server = createServer((request, response) => {
    const chunks = this.offered.get((request.headers.authorization ?? '').replace('Bearer ', '')) ?? [];
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** @returns the key */
  offer(chunks: readonly Uint8Array[]): string {
    const key = `key-${(this.offers += 1)}`;
    this.offered.set(key, chunks);
    return key;
  }

  forget(key: string): void {
    this.offered.delete(key);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
