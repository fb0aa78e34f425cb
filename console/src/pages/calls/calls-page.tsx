import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function CallsPage() {
  return <PageHeader title={t.calls.title} />;
}
