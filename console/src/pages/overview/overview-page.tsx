import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function OverviewPage() {
  return <PageHeader title={t.overview.title} />;
}
