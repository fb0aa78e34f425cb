import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function LivePage() {
  return <PageHeader title={t.live.title} />;
}
