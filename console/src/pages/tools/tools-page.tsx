import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function ToolsPage() {
  return <PageHeader title={t.tools.title} />;
}
