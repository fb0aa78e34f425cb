import { Injectable } from '@nestjs/common';
import { CHUNK_CHARACTERS, streamArrayElements } from '#src/http/json-stream.js';
import type { PageRequest } from '#src/http/pagination/page.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { maskHeaders } from '../tools/dto/tool.response.js';
import { ToolsService } from '../tools/tools.service.js';
import { AssistantsRepository, type AssistantFilter } from './assistants.repository.js';
import { toOutboundAssistant } from './dto/assistant-parts.response.js';
import type { AssistantResponse } from './dto/assistant.response.js';
import type { Assistant } from './entities/assistant.entity.js';
import { toAssistantResponse } from './show-assistant.js';

/** Rows per batch: each can be as large as a request's body. */
const BATCH = 20;
/** Tools that are looked up at once; each can have 75 KB of text. */
const MAX_TOOLS = 100;
/** Size of the cache of tool texts while a list is written: most assistants share their tools. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Lists of assistants as pieces of JSON text, so that no list has to fit into memory. */
@Injectable()
export class AssistantTextsService {
  constructor(
    private readonly repository: AssistantsRepository,
    private readonly catalog: CatalogService,
    private readonly tools: ToolsService,
    private readonly settings: RuntimeSettings,
  ) {}

  /** The full shape. @param seesHeaders whether with the values of the tools' headers */
  streamFull(userId: number, ids: number[], seesHeaders: boolean): AsyncGenerator<string> {
    return this.fullOf(userId, this.batches(userId, ids), seesHeaders);
  }

  /** The full shape of a page, how many assistants it has, and all pages together; one of few takes a single query. */
  async readFullPage(
    userId: number,
    filter: AssistantFilter,
    request: PageRequest,
    seesHeaders: boolean,
  ): Promise<{ pieces: AsyncGenerator<string>; count: number; total: number }> {
    if (request.per_page <= BATCH) {
      const { assistants, total } = await this.repository.findPage(userId, filter, request);
      return { pieces: this.fullOf(userId, [assistants], seesHeaders), count: assistants.length, total };
    }
    const [ids, total] = await Promise.all([
      this.repository.findPageIds(userId, filter, request),
      this.repository.countAssistants(userId, filter),
    ]);
    return { pieces: this.streamFull(userId, ids, seesHeaders), count: ids.length, total };
  }

  private async *batches(userId: number, ids: number[]): AsyncGenerator<Assistant[]> {
    for (let start = 0; start < ids.length; start += BATCH) {
      yield await this.repository.findByIds(userId, ids.slice(start, start + BATCH));
    }
  }

  private async *fullOf(
    userId: number,
    batches: Iterable<Assistant[]> | AsyncIterable<Assistant[]>,
    seesHeaders: boolean,
  ): AsyncGenerator<string> {
    const catalog = await this.catalog.getCatalog();
    const { ringTimeoutSeconds } = this.settings.calls;
    const tools = new ToolTexts(async (missing) => {
      const found = await this.tools.findTools(userId, missing);
      return found.map((tool) => maskHeaders(tool, seesHeaders));
    });
    let chunk = '';
    let separator = '';
    for await (const batch of batches) {
      const attached = new Set(batch.flatMap(({ toolIds }) => toolIds));
      if (attached.size <= MAX_TOOLS) await tools.load([...attached]);
      for (const assistant of batch) {
        chunk += separator;
        separator = ',';
        const answer = toAssistantResponse({ assistant, catalog, ringTimeoutSeconds }, []);
        for (const piece of withTools(answer, await tools.load(assistant.toolIds))) {
          chunk += piece;
          // Not every piece: each one that is passed on costs more than its text.
          if (chunk.length < CHUNK_CHARACTERS) continue;
          yield chunk;
          chunk = '';
        }
      }
    }
    yield chunk;
  }

  streamOutbound(userId: number, ids: number[]): AsyncGenerator<string> {
    const read = (batch: number[]): Promise<Assistant[]> => this.repository.findByIds(userId, batch);
    return streamArrayElements(ids, BATCH, read, (assistant) =>
      JSON.stringify(toOutboundAssistant(assistant)),
    );
  }
}

const TOOLS = '"tools":[';

/** The JSON text of an assistant with those of its mid call tools inserted before its built-in ones. */
function* withTools(answer: AssistantResponse, tools: string[]): Generator<string> {
  const text = JSON.stringify(answer);
  // The last place that looks like it: only built-in tools, whose texts are escaped, and times follow.
  const place = text.lastIndexOf(TOOLS) + TOOLS.length;
  yield text.slice(0, place);
  for (const [index, tool] of tools.entries()) yield index === 0 ? tool : `,${tool}`;
  if (tools.length > 0 && answer.tools.length > 0) yield ',';
  yield text.slice(place);
}

/** Cache of tool texts by id; cleared when it is too large. */
class ToolTexts {
  private readonly texts = new Map<number, string>();
  private characters = 0;

  constructor(private readonly find: (ids: number[]) => Promise<{ id: number }[]>) {}

  /** In the order of their ids; deleted ones are omitted. */
  async load(ids: number[]): Promise<string[]> {
    const wanted = ids.toSorted((one, other) => one - other);
    if (wanted.some((id) => !this.texts.has(id)) && this.characters > KEPT_CHARACTERS) this.forget();
    const missing = wanted.filter((id) => !this.texts.has(id));
    for (const tool of missing.length > 0 ? await this.find(missing) : []) {
      const text = JSON.stringify(tool);
      this.texts.set(tool.id, text);
      this.characters += text.length;
    }
    return wanted.flatMap((id) => this.texts.get(id) ?? []);
  }

  private forget(): void {
    this.texts.clear();
    this.characters = 0;
  }
}
