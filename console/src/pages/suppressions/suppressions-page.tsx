import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function SuppressionsPage() {
  return <PageHeader title={t.suppressions.title} />;
}
