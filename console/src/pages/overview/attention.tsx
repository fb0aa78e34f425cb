import { Alert, Group, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { $api, type Schemas } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { formatCount } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { useCatalogue } from '../assistants/use-catalogue';
import { useFailingWebhooks } from '../webhooks/use-failing-webhooks';
import { useDeadWebhooks } from './use-overview';

/** Below so many minutes of calls the balance is worth a warning. */
const FEW_MINUTES = 100;
/** Of one page: the warning needs no exact number. */
const MOST_ASSISTANTS = 100;

interface Warning {
  text: string;
  to?: string;
  link?: string;
}

/** What a person should do something about; nothing on a good day. */
export function Attention({ campaigns }: { campaigns: Schemas['CampaignResponse'][] | undefined }) {
  const { facts } = useSession();
  const warnings = [
    facts.restored ? { text: t.overview.warnings.restored } : null,
    useBalanceWarning(),
    ...(campaigns ?? []).map(campaignWarning),
    useWebhookWarning(),
    ...useModelWarnings(),
  ];
  const shown = warnings.filter((warning): warning is Warning => warning !== null);
  if (shown.length === 0) return null;
  return (
    <Stack gap={6} mb="md" component="section" aria-label={t.overview.attention}>
      {shown.map(({ text, to, link }) => (
        <Alert key={text} color="yellow" py={6} icon={<TriangleAlert size={16} />}>
          <Group gap="sm">
            <Text size="sm">{text}</Text>
            {to !== undefined && (
              <LinkAnchor to={to as '/'} size="sm" underline="always" c="inherit">
                {link}
              </LinkAnchor>
            )}
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

function useBalanceWarning(): Warning | null {
  const { facts } = useSession();
  const { data } = $api.useQuery('get', '/user/me');
  const { warnings } = t.overview;
  const price = facts.plan.price_per_minute;
  if (!data || price <= 0) return null;
  const minutes = data.total_balance / price;
  if (minutes >= FEW_MINUTES) return null;
  const text = minutes < 1 ? warnings.noBalance : warnings.lowBalance(formatCount(Math.floor(minutes)));
  return { text, to: '/balance', link: warnings.ledger };
}

function campaignWarning(campaign: Schemas['CampaignResponse']): Warning | null {
  const { warnings } = t.overview;
  const { id, name, status, paused_reason: paused, stopped_reason: stopped } = campaign;
  const rest = { to: `/campaigns/${id}`, link: warnings.campaign };
  if (status === 'in-progress' && paused !== null) return { text: warnings.paused(name), ...rest };
  const tell = status === 'stopped' && stopped !== null ? warnings.stopped[stopped] : undefined;
  return tell ? { text: tell(name), ...rest } : null;
}

function useWebhookWarning(): Warning | null {
  const dead = useDeadWebhooks();
  const isFailing = useFailingWebhooks().length > 0;
  const { warnings } = t.overview;
  if (dead === 0) {
    return isFailing ? { text: warnings.webhooksFail, to: '/webhooks', link: warnings.toWebhooks } : null;
  }
  const text = dead === 1 ? warnings.webhook : warnings.webhooks(formatCount(dead));
  return { text, to: '/webhooks?status=dead', link: warnings.toWebhooks };
}

/** Models of the account's assistants that end or have ended, and those that their endpoint does not offer. */
function useModelWarnings(): Warning[] {
  const { models } = useCatalogue();
  const { data: assistants } = $api.useQuery('get', '/user/assistants/get', {
    params: { query: { per_page: MOST_ASSISTANTS } },
  });
  const { warnings } = t.overview;
  return (models ?? []).flatMap(({ id, name, warning, retires_on: day, replaced_by: successor }) => {
    const users = (assistants?.data ?? []).filter(({ llm_model_id }) => llm_model_id === id);
    if (warning === undefined || users.length === 0) return [];
    const text = warnings.models[warning](name, day ?? '', successor ?? null);
    const to = users.length === 1 ? `/assistants/${users[0]?.id}` : '/assistants';
    return [{ text, to, link: warnings.assistants(users.map((user) => user.name)) }];
  });
}
