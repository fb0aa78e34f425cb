import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function AssistantsPage() {
  return <PageHeader title={t.assistants.title} />;
}
