import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function CampaignsPage() {
  return <PageHeader title={t.campaigns.title} />;
}
