import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Where events of an account go, which has no webhook of its own. */
export interface AccountReceiver {
  url: string;
  /** The oldest of the account's assistants with that URL. */
  assistantId: number;
}

@Injectable()
export class AccountWebhooksService {
  constructor(private readonly db: DataSource) {}

  /** The post-call webhooks of assistants that want more than completed calls; each URL once. */
  findReceivers(accountId: number): Promise<AccountReceiver[]> {
    return this.db.query(
      `SELECT webhook_url AS url, min(id) AS "assistantId" FROM assistants
        WHERE account_id = $1 AND deleted_at IS NULL AND is_webhook_active AND webhook_url IS NOT NULL
          AND NOT send_webhook_only_on_completed
        GROUP BY webhook_url ORDER BY min(id)`,
      [accountId],
    );
  }
}
