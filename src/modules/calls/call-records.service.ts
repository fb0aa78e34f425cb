import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import type { CallView, OpenCall } from './call.view.js';
import { Call } from './entities/call.entity.js';

/** Opens call records and shows them to other modules. */
@Injectable()
export class CallRecords {
  constructor(@InjectRepository(Call) private readonly calls: Repository<Call>) {}

  /** In the caller's transaction, before the carrier is asked: what was not written is never dialled. */
  async open(tx: EntityManager, { assistant, campaign, ...call }: OpenCall): Promise<{ id: number; token: string }> {
    const token = randomBytes(24).toString('base64url');
    const { id } = await tx.save(Call, {
      ...call,
      assistantId: assistant.id,
      assistantName: assistant.name,
      campaignId: campaign?.id ?? null,
      campaignName: campaign?.name ?? null,
      token,
    });
    return { id, token };
  }

  view(id: number): Promise<CallView | null> {
    return this.calls.findOneBy({ id });
  }

  byToken(token: string): Promise<CallView | null> {
    return this.calls.findOneBy({ token });
  }

  bySid(carrierSid: string): Promise<CallView | null> {
    return this.calls.findOneBy({ carrierSid });
  }

  /** Numbers of a campaign's calls by status, for its statistics. */
  async countByStatus(campaignId: number): Promise<Record<string, number>> {
    const rows: { status: string; n: string }[] = await this.calls.query(
      `SELECT status, count(*) AS n FROM calls WHERE campaign_id = $1 AND deleted_at IS NULL GROUP BY status`,
      [campaignId],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]));
  }

  async noteSettingsNotApplied(id: number, settings: string[]): Promise<void> {
    await this.calls.update(id, { settingsNotApplied: settings });
  }

  async setVariables(id: number, variables: Record<string, unknown>): Promise<void> {
    await this.calls.update(id, { variables: variables as never });
  }

  /** The outcome of the last webhook delivery, as the API shows it. */
  async setWebhookResponse(tx: EntityManager, id: number, response: Record<string, unknown>): Promise<void> {
    await tx.update(Call, id, { webhookResponse: response as never });
  }
}
