import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { parseTime } from '#console/formats/time';
import { partnerOf } from '#console/pages/calls/call-words';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { NAVIGATION } from './navigation';
import { KEEPS_SCROLLBAR } from './theme';

const TYPING_MS = 200;
const SHORTEST = 2;
const STALE_MS = 60_000;

export const openSearch = (): void => spotlight.open();

export function SearchDialog() {
  const [typed, setTyped] = useState('');
  const groups = useFound(typed.trim());
  return (
    <Spotlight
      query={typed}
      onQueryChange={setTyped}
      actions={groups}
      filter={(_, all) => all}
      shortcut={null}
      nothingFound={t.shell.nothingFound}
      searchProps={{ placeholder: t.shell.searchHint, 'aria-label': t.shell.search }}
      attributes={{ content: { 'aria-label': t.shell.search } }}
      removeScrollProps={KEEPS_SCROLLBAR}
      scrollable
      maxHeight={420}
    />
  );
}

function useFound(query: string): { group: string; actions: SpotlightActionData[] }[] {
  const navigate = useNavigate();
  const { can, times } = useSession();
  const [asked] = useDebouncedValue(query, TYPING_MS);
  const isNumber = /^\+?[\d ()-]+$/.test(asked);
  const digits = asked.replace(/\D/g, '');
  const options = { enabled: asked.length >= SHORTEST, staleTime: STALE_MS };
  const byNumber = $api.useQuery(
    'get',
    '/user/calls',
    { params: { query: { phone_number: asked.startsWith('+') ? `+${digits}` : digits, per_page: 8 } } },
    { ...options, enabled: isNumber && digits.length >= SHORTEST },
  );
  const id = Number(digits);
  const byId = $api.useQuery(
    'get',
    '/user/calls/{id}',
    { params: { path: { id } } },
    {
      ...options,
      enabled: isNumber && !asked.startsWith('+') && id > 0 && id <= 2_147_483_647,
      retry: false,
    },
  );
  const campaigns = $api.useQuery('get', '/user/campaigns', undefined, options);
  const assistants = $api.useQuery('get', '/user/assistants', undefined, options);
  const bases = $api.useQuery('get', '/user/knowledgebases', undefined, options);

  const go = (to: string) => (): void => void navigate({ to: to as '/' });
  const matches = (text: string): boolean => text.toLowerCase().includes(query.toLowerCase());
  const calls = [...(byId.data ? [byId.data] : []), ...(isNumber ? (byNumber.data?.data ?? []) : [])];
  const groups = [
    {
      group: t.calls.title,
      actions: [...new Map(calls.map((call) => [call.id, call])).values()].map((call) => ({
        id: `call ${call.id}`,
        label: partnerOf(call),
        description: `#${call.id} · ${call.assistant_name} · ${times.dateTime(parseTime(call.created_at))}`,
        onClick: go(`/calls/${call.id}`),
      })),
    },
    {
      group: t.campaigns.title,
      actions: (campaigns.data ?? [])
        .filter(({ name }) => query.length >= SHORTEST && matches(name))
        .map((each) => ({
          id: `campaign ${each.id}`,
          label: each.name,
          onClick: go(`/campaigns/${each.id}`),
        })),
    },
    {
      group: t.assistants.title,
      actions: (assistants.data ?? [])
        .filter(({ name }) => query.length >= SHORTEST && matches(name))
        .map((each) => ({
          id: `assistant ${each.id}`,
          label: each.name,
          onClick: go(`/assistants/${each.id}`),
        })),
    },
    {
      group: t.knowledge.title,
      actions: (bases.data?.data ?? [])
        .filter(({ name }) => query.length >= SHORTEST && matches(name))
        .map((each) => ({
          id: `knowledge ${each.id}`,
          label: each.name,
          onClick: go(`/knowledge/${each.id}`),
        })),
    },
    ...NAVIGATION.map(({ label, items }) => ({
      group: label,
      actions: items
        .filter((item) => can(item.scope) && matches(item.label))
        .map((item) => ({ id: item.to, label: item.label, onClick: go(item.to) })),
    })),
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}
