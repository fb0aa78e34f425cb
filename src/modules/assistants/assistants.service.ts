import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository, type FindOptionsWhere } from 'typeorm';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { joinArrayElements, jsonStream } from '#src/http/json-stream.js';
import { StreamedPage } from '#src/http/pagination/page.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { MAX_PLAN_LIMIT } from '../accounts/plans.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { maskHeaders } from '../tools/dto/tool.response.js';
import { assertValidAssistant, selectChangedAssistant, type AttachedIds } from './assistant-input.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
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
  toAssistantSummary,
  type AssistantPhoneNumberResponse,
  type AssistantSummaryResponse,
} from './dto/assistant-parts.response.js';
import type { AssistantResponse } from './dto/assistant.response.js';
import { Assistant } from './entities/assistant.entity.js';
import { toAssistantResponse } from './show-assistant.js';
import {
  waitForWebhookTargetExpiry,
  WEBHOOK_TARGET_TTL_MS,
  URL_COLUMN,
  webhookColumns,
  type WebhookTarget,
} from './webhook-targets.js';

const MAX_BATCH = 100;
const UNCHANGED: AttachedIds = { toolIds: undefined, labelIds: undefined };

/** Assistants for their users and for other modules; deleted ones are not found. */
@Injectable()
export class AssistantsService {
  private readonly callerIds: CallerIds;
  /** Deleted ones as well; calls that are answered together share a look-up. */
  private readonly ofCalls = new BatchLoader<number, Assistant | undefined>(async (ids) => {
    const assistants = await this.assistants.find({ where: { id: Any(ids) }, withDeleted: true });
    return ids.map((id) => assistants.find((assistant) => assistant.id === id));
  }, MAX_BATCH);
  private readonly webhooks = new BatchLoader<number, AssistantWebhooks | undefined>(async (ids) => {
    const found = await this.repository.findWebhooksByIds(ids);
    const webhooks = new Map(found.map((assistant) => [assistant.id, toAssistantWebhooks(assistant)]));
    return ids.map((id) => webhooks.get(id));
  }, MAX_BATCH);

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
  }

  /** @throws Invalid, PlanLimitReached, also for concurrent requests */
  async createAssistant(
    userId: number,
    dto: CreateAssistantDto,
    key: ClaimedKey | null = null,
  ): Promise<AssistantSummaryResponse> {
    const made = key?.createdId && (await this.repository.findByIds(userId, [key.createdId]))[0];
    if (made) return toAssistantSummary(made);
    const input = await this.references.readInput(userId, dto, null);
    const columns = selectChangedAssistant(input, null);
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, columns, { accountId: userId });
    assertValidAssistant(input, assistant, null);
    const { toolIds = [], labelIds = [] } = input.attached;
    const isAlone = toolIds.length === 0 && labelIds.length === 0 && key === null;
    const isWritten = isAlone && (await this.repository.insertWithoutPlanLimit(assistant));
    if (!isWritten) {
      const { maxAssistants } = (await this.accounts.accountView(userId)).plan;
      const limit = maxAssistants < MAX_PLAN_LIMIT ? maxAssistants : null;
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
    const input = await this.references.readInput(userId, dto, id);
    const after = await this.changeAssistant(userId, id, input.attached, (current) => {
      const columns = selectChangedAssistant(input, current);
      assertValidAssistant(input, { ...current, ...columns }, current);
      return columns;
    });
    return toAssistantSummary(after);
  }

  async deleteAssistant(userId: number, id: number): Promise<void> {
    const deleted = await this.repository.deleteAssistant(userId, id);
    if (!deleted) throw new AssistantNotFound();
    if (deleted.redirected) await waitForWebhookTargetExpiry();
  }

  /** @param seesHeaders whether with the values of the tools' headers */
  async listAssistants(
    userId: number,
    query: FilterAssistantsDto,
    seesHeaders: boolean,
  ): Promise<StreamableFile> {
    const ids = await this.repository.findIds(userId, toFilter(query));
    return jsonStream(joinArrayElements('[', this.texts.streamFull(userId, ids, seesHeaders), ']'));
  }

  async pageOfAssistants(
    userId: number,
    query: PageAssistantsDto,
    seesHeaders: boolean,
  ): Promise<StreamedPage> {
    const { pieces, count, total } = await this.texts.readFullPage(
      userId,
      toFilter(query),
      query,
      seesHeaders,
    );
    return new StreamedPage(pieces, count, total, query);
  }

  async listOutbound(userId: number): Promise<StreamableFile> {
    const ids = await this.repository.findIds(userId, toFilter({ type: 'outbound' }));
    return jsonStream(joinArrayElements('[', this.texts.streamOutbound(userId, ids), ']'));
  }

  /** The newest outbound one of this name. */
  async findOutboundByName(userId: number, name: string): Promise<number | null> {
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
    const shown = tools.map((tool) => maskHeaders(tool, seesHeaders));
    return toAssistantResponse({ assistant, catalog, ringTimeoutSeconds }, shown);
  }

  async ownsAssistant(userId: number, id: number): Promise<boolean> {
    return this.assistants.existsBy({ id, accountId: userId });
  }

  /** The user's numbers, and whether an assistant of the type could take each. */
  async listPhoneNumberChoices(
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
   * The assistant of a running call: also a deleted one, with its last settings, so that an answered call is not hung
   * up.
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
  async findUuids(ids: readonly number[]): Promise<Map<number, string>> {
    const select = { id: true, uuid: true } as const;
    const where = { id: Any([...new Set(ids)]) };
    const found = await this.assistants.find({ select, where, withDeleted: true });
    return new Map(found.map(({ id, uuid }) => [id, uuid]));
  }

  /** The id of one of the user's assistants, also of a deleted one. */
  async findId(userId: number, uuid: string): Promise<number | null> {
    const where = { uuid, accountId: userId };
    return (await this.assistants.findOne({ select: { id: true }, where, withDeleted: true }))?.id ?? null;
  }

  /** For text conversations of web pages, which name assistants by their uuid. */
  async assistantViewByUuid(uuid: string): Promise<AssistantView | null> {
    return this.viewOf({ uuid });
  }

  /** The assistant that answers calls to this number, or null. */
  async findActiveInboundByNumber(e164: string): Promise<AssistantView | null> {
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
  async webhookTarget(assistantId: number, channel: WebhookChannel): Promise<WebhookTarget | null> {
    // Before the statement: a change that it does not see is committed after this moment.
    const validUntil = performance.now() + WEBHOOK_TARGET_TTL_MS;
    const url = (await this.webhooksOf(assistantId))?.urls[channel] ?? null;
    return url === null ? null : { url, validUntil };
  }

  /** The current webhook settings; undefined: the assistant was deleted. */
  webhooksOf(assistantId: number): Promise<AssistantWebhooks | undefined> {
    return this.webhooks.load(assistantId);
  }

  /** Null switches the channel off. The returned list is reserved. */
  async setWebhook(userId: number, id: number, channel: WebhookChannel, url: string | null): Promise<[]> {
    await this.changeAssistant(userId, id, UNCHANGED, () => webhookColumns(channel, url));
    return [];
  }

  /** Switches a channel off whose receiver is gone, while it still has that URL. */
  async clearWebhook(id: number, channel: WebhookChannel, url: string): Promise<void> {
    await this.repository.clearWebhook(id, { [URL_COLUMN[channel]]: url }, webhookColumns(channel, null));
  }

  /** After this resolves no request is sent to a previous URL of a webhook. */
  private async changeAssistant(
    userId: number,
    id: number,
    attached: AttachedIds,
    change: (current: Assistant) => Partial<Assistant>,
  ): Promise<Assistant> {
    const changed = await this.repository.updateAssistant(userId, id, attached, change);
    if (!changed) throw new AssistantNotFound();
    if (changed.redirected) await waitForWebhookTargetExpiry();
    return changed.assistant;
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
