import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { selectChangedColumns } from '#src/common/persistence/columns.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import type { CreateGroupDto, ListGroupsDto, UpdateGroupDto } from './dto/group-input.dto.js';
import { toGroupResponse, type GroupResponse } from './dto/group.response.js';
import { AssistantGroup } from './entities/assistant-group.entity.js';
import { MAX_GROUPS_OF_A_KIND, type GroupKind } from './group.types.js';
import { FolderNotFound, GroupLimitReached, LabelNotFound, NameTaken } from './groups.errors.js';

const MISSING = { folder: FolderNotFound, label: LabelNotFound };

/** Folders and labels of assistants. A group of the other kind is not found. */
@Injectable()
export class GroupsService {
  constructor(
    @InjectRepository(AssistantGroup) private readonly groups: Repository<AssistantGroup>,
    private readonly audit: AuditService,
  ) {}

  async listGroups(userId: number, kind: GroupKind, query: ListGroupsDto): Promise<Page<GroupResponse>> {
    const [rows, total] = await this.groups.findAndCount({
      where: { accountId: userId, kind },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(rows.map(toGroupResponse), total, query);
  }

  /** @throws FolderNotFound, LabelNotFound */
  async getGroup(userId: number, kind: GroupKind, id: number): Promise<GroupResponse> {
    const group = await this.groups.findOneBy({ id, accountId: userId, kind });
    if (!group) throw new MISSING[kind]();
    return toGroupResponse(group);
  }

  /** @throws NameTaken, GroupLimitReached, also for concurrent requests: groups are counted under the account's lock */
  async createGroup(
    userId: number,
    kind: GroupKind,
    { name, color = 'gray' }: CreateGroupDto,
    key: ClaimedKey | null,
  ): Promise<GroupResponse> {
    if (key?.createdId) return this.getGroup(userId, kind, key.createdId);
    return withNameTaken(() =>
      this.audit.change(async (tx, record) => {
        await lockAccount(tx, userId);
        const count = await tx.countBy(AssistantGroup, { accountId: userId, kind });
        if (count >= MAX_GROUPS_OF_A_KIND) throw new GroupLimitReached(kind);
        const group = await tx.save(tx.create(AssistantGroup, { accountId: userId, kind, name, color }));
        await recordCreatedId(tx, key, group.id);
        record({ accountId: userId, action: `${kind}.create`, resourceId: group.id });
        return { id: group.id, name, color, assistants_count: 0 };
      }),
    );
  }

  /** @throws NameTaken, FolderNotFound, LabelNotFound */
  async updateGroup(
    userId: number,
    kind: GroupKind,
    id: number,
    dto: UpdateGroupDto,
  ): Promise<GroupResponse> {
    const group = await this.groups.findOneBy({ id, accountId: userId, kind });
    if (!group) throw new MISSING[kind]();
    const given = Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));
    const columns = selectChangedColumns<AssistantGroup>(given, group);
    if (Object.keys(columns).length > 0) {
      await withNameTaken(() =>
        this.audit.change(async (tx, record) => {
          await tx.update(AssistantGroup, { id, accountId: userId, kind }, columns);
          const fields = changedFields(columns);
          record({ accountId: userId, action: `${kind}.update`, resourceId: id, fields });
        }),
      );
    }
    return this.getGroup(userId, kind, id);
  }

  /** Its assistants stay, without it. @throws FolderNotFound, LabelNotFound */
  async deleteGroup(userId: number, kind: GroupKind, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const { affected } = await tx.delete(AssistantGroup, { id, accountId: userId, kind });
      if (!affected) throw new MISSING[kind]();
      record({ accountId: userId, action: `${kind}.delete`, resourceId: id });
    });
  }

  /** Whether all of the ids, of which none is twice, are groups of the user and of this kind. */
  async ownsGroups(userId: number, kind: GroupKind, ids: number[]): Promise<boolean> {
    if (ids.length === 0) return true;
    return (await this.groups.countBy({ id: Any(ids), accountId: userId, kind })) === ids.length;
  }
}

async function withNameTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw new NameTaken();
    throw error;
  }
}
