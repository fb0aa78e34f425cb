import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function NumbersPage() {
  return <PageHeader title={t.numbers.title} />;
}
