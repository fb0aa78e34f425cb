import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function WebhooksPage() {
  return <PageHeader title={t.webhooks.title} />;
}
