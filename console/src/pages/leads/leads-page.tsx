import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function LeadsPage() {
  return <PageHeader title={t.leads.title} />;
}
