import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function ApiKeysPage() {
  return <PageHeader title={t.apiKeys.title} />;
}
