import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function WidgetPage() {
  return <PageHeader title={t.widget.title} />;
}
