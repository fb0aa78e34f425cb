import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Repository, type FindOptionsWhere } from 'typeorm';
import type { ClaimedKey } from '#src/common/idempotency/idempotency.service.js';
import { between, jsonStream } from '#src/common/http/json-stream.js';
import { StreamedPage } from '#src/common/pagination/page.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import { drainSendLocks } from '#src/common/persistence/locks.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { MAX_COUNT } from '../accounts/plans.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { maskHeaders } from '../tools/dto/tool.response.js';
import { assertValid, columnsToWrite } from './assistant-input.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { ASSISTANT_DEFAULTS } from './assistant-settings.js';
import { AssistantsRepository, type AssistantFilter } from './assistants.repository.js';
import { AssistantTextsService } from './assistant-texts.service.js';
import {
  toAssistantView,
  toAssistantWebhooks,
  type AssistantView,
  type AssistantWebhooks,
} from './assistant-view.js';
import type { AssistantType, WebhookChannel } from './assistant.types.js';
import { AssistantNotFound } from './assistants.errors.js';
import { CallerIds } from './caller-id.js';
import type {
  CreateAssistantDto,
  FilterAssistantsDto,
  PageAssistantsDto,
  UpdateAssistantDto,
} from './dto/assistant-input.dto.js';
import {
  toAssistantPhoneNumber,
  toAssistantResponse,
  toAssistantSummary,
  type AssistantPhoneNumberResponse,
  type AssistantResponse,
  type AssistantSummaryResponse,
} from './dto/assistant.response.js';
import { Assistant } from './entities/assistant.entity.js';
import { WEBHOOK_COLUMNS, WEBHOOK_TARGETS, type WebhookColumn } from './webhook-columns.js';

const MAX_BATCH = 50;

/** Assistants for their users and for other modules; deleted ones are not found. */
@Injectable()
export class AssistantsService {
  private readonly callerIds: CallerIds;
  /** Deleted ones as well; calls that are answered together share a look-up. */
  private readonly ofCalls = new BatchLoader<number, Assistant | undefined>(async (ids) => {
    const assistants = await this.assistants.find({ where: { id: Any(ids) }, withDeleted: true });
    return ids.map((id) => assistants.find((assistant) => assistant.id === id));
  }, MAX_BATCH);
  private readonly findWebhooks: (values: unknown[]) => Promise<Pick<Assistant, WebhookColumn>[]>;

  constructor(
    @InjectRepository(Assistant) private readonly assistants: Repository<Assistant>,
    private readonly repository: AssistantsRepository,
    private readonly texts: AssistantTextsService,
    private readonly references: AssistantReferencesService,
    private readonly accounts: AccountsService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly settings: RuntimeSettings,
  ) {
    this.callerIds = new CallerIds(phoneNumbers);
    this.findWebhooks = new PreparedSelect<Assistant, WebhookColumn>(
      assistants.manager.connection,
      Assistant,
      'assistant',
      WEBHOOK_COLUMNS,
    ).prepare('WHERE assistant.id = ANY($1) AND assistant.deleted_at IS NULL');
  }

  /** @throws Invalid, PlanLimitReached, also for concurrent requests */
  async createAssistant(
    userId: number,
    dto: CreateAssistantDto,
    key: ClaimedKey | null = null,
  ): Promise<AssistantSummaryResponse> {
    const made = key?.createdId && (await this.repository.byIds(userId, [key.createdId]))[0];
    if (made) return toAssistantSummary(made);
    const input = await this.references.readInput(userId, dto);
    const columns = columnsToWrite(input, null);
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, columns, { accountId: userId });
    assertValid(input, assistant, null);
    const { toolIds = [], labelIds = [] } = input.attached;
    const isAlone = toolIds.length === 0 && labelIds.length === 0 && key === null;
    const isWritten = isAlone && (await this.repository.insertUnlimited(assistant));
    if (!isWritten) {
      const { maxAssistants } = (await this.accounts.view(userId)).plan;
      const limit = maxAssistants < MAX_COUNT ? maxAssistants : null;
      await this.repository.insertAssistant(assistant, input.attached, limit, key);
    }
    return toAssistantSummary(assistant);
  }

  /** Writes the fields that change. */
  async updateAssistant(
    userId: number,
    id: number,
    dto: UpdateAssistantDto,
  ): Promise<AssistantSummaryResponse> {
    // Before the transaction: a look-up inside it would take a second connection from the pool.
    const input = await this.references.readInput(userId, dto);
    let changesWebhook = false;
    const after = await this.repository.updateAssistant(userId, id, input.attached, (current) => {
      const columns = columnsToWrite(input, current);
      assertValid(input, { ...current, ...columns }, current);
      changesWebhook = WEBHOOK_TARGETS.some((column) => columns[column] !== undefined);
      return columns;
    });
    if (!after) throw new AssistantNotFound();
    if (changesWebhook) await drainSendLocks(this.assistants.manager, id);
    return toAssistantSummary(after);
  }

  async deleteAssistant(userId: number, id: number): Promise<void> {
    if (!(await this.repository.deleteAssistant(userId, id))) throw new AssistantNotFound();
    await drainSendLocks(this.assistants.manager, id);
  }

  /** @param seesHeaders whether with the values of the tools' headers */
  async listAssistants(
    userId: number,
    query: FilterAssistantsDto,
    seesHeaders: boolean,
  ): Promise<StreamableFile> {
    const ids = await this.repository.ids(userId, toFilter(query));
    return jsonStream(between('[', this.texts.full(userId, ids, seesHeaders), ']'));
  }

  async pageOfAssistants(
    userId: number,
    query: PageAssistantsDto,
    seesHeaders: boolean,
  ): Promise<StreamedPage> {
    const { pieces, count, total } = await this.texts.fullPage(userId, toFilter(query), query, seesHeaders);
    return new StreamedPage(pieces, count, total, query);
  }

  async listOutbound(userId: number): Promise<StreamableFile> {
    const ids = await this.repository.ids(userId, toFilter({ type: 'outbound' }));
    return jsonStream(between('[', this.texts.outbound(userId, ids), ']'));
  }

  /** The newest outbound one of this name. */
  async outboundNamed(userId: number, name: string): Promise<number | null> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const where = { accountId: userId, type: 'outbound', name } as const;
    return (await this.assistants.findOne({ select: { id: true }, where, order }))?.id ?? null;
  }

  getAssistant(userId: number, id: number): Promise<AssistantResponse> {
    return this.showAssistant(userId, id, true);
  }

  /** @param seesHeaders whether with the values of the tools' headers */
  async showAssistant(userId: number, id: number, seesHeaders: boolean): Promise<AssistantResponse> {
    const assistant = await this.assistants.findOneBy({ id, accountId: userId });
    if (!assistant) throw new AssistantNotFound();
    const { catalog, tools } = await this.references.findReferences(assistant);
    const { ringTimeoutSeconds } = this.settings.calls;
    const shown = seesHeaders ? tools : tools.map(maskHeaders);
    return toAssistantResponse({ assistant, catalog, ringTimeoutSeconds }, shown);
  }

  async ownsAssistant(userId: number, id: number): Promise<boolean> {
    return this.assistants.existsBy({ id, accountId: userId });
  }

  /** The user's numbers, and whether an assistant of the type could take each. */
  async phoneNumberChoice(
    userId: number,
    type: AssistantType | null,
  ): Promise<AssistantPhoneNumberResponse[]> {
    const [numbers, inbound] = await Promise.all([
      this.phoneNumbers.listPhoneNumbers(userId),
      type === 'inbound'
        ? this.assistants.find({ select: { phoneNumberId: true }, where: { accountId: userId, type } })
        : [],
    ]);
    const held = new Set(inbound.map(({ phoneNumberId }) => phoneNumberId));
    return numbers.map((number) => toAssistantPhoneNumber(number, held.has(number.id)));
  }

  /** @param key its id or its uuid */
  async assistantView(userId: number, key: number | string): Promise<AssistantView | null> {
    return this.viewOf({ ...(typeof key === 'number' ? { id: key } : { uuid: key }), accountId: userId });
  }

  /**
   * Of a call that was placed or is running: also one that was deleted since, with its last settings. Whoever answers a
   * call that rings must not meet a hang-up.
   */
  async assistantOfCall(accountId: number, id: number): Promise<AssistantView | null> {
    const assistant = await this.ofCalls.load(id);
    return assistant?.accountId === accountId ? this.toView(assistant) : null;
  }

  /** By id; deleted ones are absent. */
  async assistantViews(ids: readonly number[]): Promise<Map<number, AssistantView>> {
    const assistants = await this.assistants.findBy({ id: Any([...new Set(ids)]) });
    const views = await Promise.all(assistants.map((assistant) => this.toView(assistant)));
    return new Map(views.map((view) => [view.id, view]));
  }

  /** Their uuids by their ids, also of deleted ones. */
  async uuidsOf(ids: readonly number[]): Promise<Map<number, string>> {
    const select = { id: true, uuid: true } as const;
    const where = { id: Any([...new Set(ids)]) };
    const found = await this.assistants.find({ select, where, withDeleted: true });
    return new Map(found.map(({ id, uuid }) => [id, uuid]));
  }

  /** The id of one of the user's assistants, also of a deleted one. */
  async idOf(userId: number, uuid: string): Promise<number | null> {
    const where = { uuid, accountId: userId };
    return (await this.assistants.findOne({ select: { id: true }, where, withDeleted: true }))?.id ?? null;
  }

  /** For text conversations of web pages, which name assistants by their uuid. */
  async assistantViewByUuid(uuid: string): Promise<AssistantView | null> {
    return this.viewOf({ uuid });
  }

  /** The assistant that answers calls to this number, or null. */
  async activeInboundByNumber(e164: string): Promise<AssistantView | null> {
    const number = await this.phoneNumbers.findByE164(e164);
    if (!number?.subscriptionActive) return null;
    const { id: phoneNumberId, accountId } = number;
    return this.viewOf({ phoneNumberId, accountId, type: 'inbound', status: 'active' });
  }

  /** The number that the assistant calls from; null: none is active. */
  callerId(assistant: AssistantView): Promise<string | null> {
    return this.callerIds.callerId(assistant);
  }

  /** The current URL of a channel; null: off. */
  async webhookTarget(assistantId: number, channel: WebhookChannel): Promise<{ url: string } | null> {
    const url = (await this.webhooksOf([assistantId])).get(assistantId)?.urls[channel] ?? null;
    return url === null ? null : { url };
  }

  /** The current webhook settings by assistant; deleted assistants are omitted. */
  async webhooksOf(assistantIds: readonly number[]): Promise<Map<number, AssistantWebhooks>> {
    const assistants = await this.findWebhooks([[...new Set(assistantIds)]]);
    return new Map(assistants.map((assistant) => [assistant.id, toAssistantWebhooks(assistant)]));
  }

  /**
   * Null switches the channel off: after this resolves no request is sent to the previous URL. The returned list is
   * reserved.
   */
  async setWebhook(userId: number, id: number, channel: WebhookChannel, url: string | null): Promise<[]> {
    const live = { id, accountId: userId, deletedAt: IsNull() };
    const { affected } = await this.assistants.update(live, webhookColumns(channel, url));
    if (!affected) throw new AssistantNotFound();
    await drainSendLocks(this.assistants.manager, id);
    return [];
  }

  /** Switches a channel off whose receiver is gone; with `url` only while the channel still has that URL. */
  async clearWebhook(id: number, channel: WebhookChannel, url?: string): Promise<void> {
    const ifStill = url === undefined ? {} : { [URL_COLUMN[channel]]: url };
    await this.assistants.update({ id, ...ifStill }, webhookColumns(channel, null));
  }

  private async viewOf(where: FindOptionsWhere<Assistant>): Promise<AssistantView | null> {
    const assistant = await this.assistants.findOneBy(where);
    return assistant && this.toView(assistant);
  }

  private async toView(assistant: Assistant): Promise<AssistantView> {
    const { catalog, tools } = await this.references.findReferences(assistant);
    return toAssistantView(assistant, catalog, tools);
  }
}

const toFilter = ({
  type = null,
  folder_id: folderId = null,
  label_id: labelId = null,
}: FilterAssistantsDto): AssistantFilter => ({ type, folderId, labelId });

const URL_COLUMN = {
  'post-call': 'webhookUrl',
  inbound: 'inboundWebhookUrl',
  conversation: 'conversationEndedWebhookUrl',
} as const satisfies Record<WebhookChannel, keyof Assistant>;

const webhookColumns = (channel: WebhookChannel, url: string | null) => ({
  [URL_COLUMN[channel]]: url,
  ...(channel === 'post-call' && { isWebhookActive: url !== null }),
});
