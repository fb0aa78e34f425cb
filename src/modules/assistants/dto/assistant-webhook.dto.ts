import { IdField, UrlField } from '#src/common/validation/fields.js';

export class DisableWebhookDto {
  @IdField()
  assistant_id: number;
}

export class EnableWebhookDto extends DisableWebhookDto {
  @UrlField({ example: 'https://example.com/calls' })
  webhook_url: string;
}
