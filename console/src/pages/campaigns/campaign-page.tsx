import { SimpleGrid, Skeleton, Tabs, Text } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { PageHeader } from '#console/components/page-header';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { AnswersTab } from './answers-tab';
import { CampaignActions } from './campaign-actions';
import { OverviewTab } from './overview-tab';
import { ResultsTab } from './results-tab';
import { useCampaign, type CampaignDetails } from './use-campaign';
import { WaitingTab } from './waiting-tab';
import { describeCampaign, type Preview } from './waiting-words';

const above = [
  <LinkAnchor key="campaigns" to="/campaigns" size="sm">
    {t.campaigns.title}
  </LinkAnchor>,
];

const TWO_LINES = '2lh';

export function CampaignPage() {
  const { id } = useParams({ from: '/shell/campaigns/$id' });
  return <CampaignView key={id} id={Number(id)} />;
}

function CampaignView({ id }: { id: number }) {
  const { tab = 'overview' } = useSearch({ from: '/shell/campaigns/$id' });
  const change = useSearchChange();
  const { details, preview, stream } = useCampaign(id);
  const campaign = details.data?.data;
  if (details.error && !campaign) {
    return <FailedPage title={t.campaigns.title} above={above} query={details} />;
  }
  if (!campaign) {
    return (
      <>
        <PageHeader title="…" above={above} text={<Skeleton h={14} w={420} mt={4} />} />
        <Skeleton h={36} mb="md" />
        <Skeleton h={14} mt={28} mb="xl" />
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mb="xl">
          {Object.values(t.campaigns.tabs).map((name) => (
            <Skeleton key={name} h={72} />
          ))}
        </SimpleGrid>
        <Skeleton h={200} maw={760} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={campaign.name}
        above={above}
        text={<Sentence campaign={campaign} preview={preview} />}
        actions={<CampaignActions campaign={campaign} isLost={stream === 'lost'} />}
      />
      <Tabs
        value={tab}
        onChange={(next) => change({ tab: next === 'overview' ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(t.campaigns.tabs).map(([name, label]) => (
            <Tabs.Tab key={name} value={name} px={10}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab campaign={campaign} preview={preview} />
        </Tabs.Panel>
        <Tabs.Panel value="waiting">
          <WaitingTab campaign={campaign} preview={preview} />
        </Tabs.Panel>
        <Tabs.Panel value="results">
          <ResultsTab campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="answers">
          <AnswersTab campaignId={id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Why does it not call? */
function Sentence({ campaign, preview }: { campaign: CampaignDetails; preview: Preview | undefined }) {
  const { times } = useSession();
  return (
    // It becomes longer and shorter while the campaign runs.
    <Text aria-live="polite" component="div" mih={TWO_LINES}>
      {preview ? describeCampaign(campaign, preview, times).join(' ') : <Skeleton h={14} w={420} mt={4} />}
    </Text>
  );
}
