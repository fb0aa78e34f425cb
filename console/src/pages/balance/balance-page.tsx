import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function BalancePage() {
  return <PageHeader title={t.balance.title} />;
}
