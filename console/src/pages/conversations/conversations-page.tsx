import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function ConversationsPage() {
  return <PageHeader title={t.conversations.title} />;
}
