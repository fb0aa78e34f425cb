import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { api } from '#console/api/client';
import { download } from '#console/api/download';
import { confirm } from '#console/components/confirm';
import { LinkButton } from '#console/components/links';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { useRemoval } from '#console/components/use-removal';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { CampaignStatus } from './campaigns-page';
import { countAll } from './leads-bar';
import { costPerCall } from './use-figures';
import type { CampaignDetails } from './use-campaign';
import { countBlocked } from './waiting-words';

interface CampaignActionsProps {
  campaign: CampaignDetails;
  isLost: boolean;
}

export function CampaignActions({ campaign, isLost }: CampaignActionsProps) {
  const { can } = useSession();
  const id = String(campaign.id);
  return (
    <>
      {isLost && (
        <Text size="sm" c="dimmed" role="status">
          {t.stream.lost}
        </Text>
      )}
      <CampaignStatus campaign={campaign} />
      <StartStop campaign={campaign} />
      {can('write') && (
        <>
          <LinkButton size="xs" variant="default" to="/leads/import" search={{ campaign_id: id }}>
            {t.campaigns.importLeads}
          </LinkButton>
          <LinkButton size="xs" variant="default" to="/campaigns/$id/edit" params={{ id }}>
            {t.campaigns.edit}
          </LinkButton>
        </>
      )}
      <More campaign={campaign} />
    </>
  );
}

function StartStop({ campaign }: { campaign: CampaignDetails }) {
  const client = useQueryClient();
  const session = useSession();
  const [isBusy, setBusy] = useState(false);
  const isRunning = campaign.status === 'in-progress';
  const words = isRunning ? t.campaigns.stopping : t.campaigns.starting;
  const move = (action: 'start' | 'stop'): Promise<unknown> =>
    api.POST('/user/campaigns/update-status', { body: { campaign_id: campaign.id, action } });
  const run = async (): Promise<void> => {
    const question = isRunning
      ? t.campaigns.stopping.text(inCall(campaign))
      : await startText(campaign, session);
    if (!(await confirm({ title: words.title(campaign.name), text: question, confirm: words.confirm })))
      return;
    setBusy(true);
    try {
      await move(isRunning ? 'stop' : 'start');
      // What is started may have called somebody.
      notifyDone(words.done, isRunning ? () => move('start') : undefined);
      await client.invalidateQueries();
    } catch (error) {
      notifyFailed(words.failed, error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <NeedsScope scope="calls">
      {(refusal) => (
        <Button
          size="xs"
          variant={isRunning ? 'default' : 'filled'}
          leftSection={isRunning ? <Pause size={14} /> : <Play size={14} />}
          loading={isBusy}
          onClick={run}
          {...refusal}
        >
          {isRunning ? t.campaigns.stop : t.campaigns.start}
        </Button>
      )}
    </NeedsScope>
  );
}

const inCall = ({ stats }: CampaignDetails): number => stats.leads['processing'] ?? 0;

/** How many people are called, and what it costs as far as that is known. */
async function startText(
  { id, stats }: CampaignDetails,
  { facts, money, times }: ReturnType<typeof useSession>,
): Promise<string> {
  const { starting } = t.campaigns;
  const waiting = ['created', 'scheduled', 'rescheduled'].reduce(
    (sum, status) => sum + (stats.leads[status] ?? 0),
    0,
  );
  const { data: preview } = await api.GET('/user/campaigns/{id}/preview', { params: { path: { id } } });
  const called = waiting - (preview === undefined ? 0 : countBlocked(preview.data));
  if (called === 0) return starting.none;
  const average = await costPerCall(id, times.zone);
  return [
    starting.text(called),
    facts.carrier.sandbox ? starting.sandbox : starting.price(money(facts.plan.price_per_minute)),
    average === null ? '' : starting.spent(money(average)),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function More({ campaign }: { campaign: CampaignDetails }) {
  const { can } = useSession();
  const navigate = useNavigate();
  const removal = useRemoval();
  const words = t.campaigns;
  const save = async (): Promise<void> => {
    try {
      await download(`/user/campaigns/${campaign.id}/export`, `campaign-${campaign.id}.csv`);
      notifyDone(words.exported);
    } catch (error) {
      notifyFailed(words.exportFailed, error);
    }
  };
  const { title, text, confirm: verb, done, failed } = words.removal;
  const remove = (): Promise<void> =>
    removal({
      question: { title: title(campaign.name), text: text(countAll(campaign.stats.leads)), confirm: verb },
      remove: () => api.DELETE('/user/campaigns/{id}', { params: { path: { id: campaign.id } } }),
      done,
      failed,
      list: '/campaigns',
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={words.more}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save()}>{words.export}</Menu.Item>
        {can('write') && (
          <>
            <Menu.Item
              onClick={() => void navigate({ to: '/campaigns/new', search: { copy: String(campaign.id) } })}
            >
              {words.duplicate}
            </Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove()}>
              {words.remove}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
