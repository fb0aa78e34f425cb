import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function MessagesPage() {
  return <PageHeader title={t.messages.title} />;
}
