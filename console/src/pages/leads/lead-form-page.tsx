import { Checkbox, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api, api } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { namedOptions } from '#console/components/search-filters';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { ContactsInput } from './contacts-input';
import { statusOf, type Lead, type NewLead } from './lead-words';
import { VariablesInput } from './variables-input';

const STALE_MS = 60_000;
const SETTABLE = ['created', 'completed', 'reached-max-retries'] as const;

const leadsLink = (
  <LinkAnchor key="leads" to="/leads" size="sm">
    {t.leads.title}
  </LinkAnchor>
);

function useCampaignOptions() {
  const { data } = $api.useQuery('get', '/user/campaigns', undefined, { staleTime: STALE_MS });
  return data && namedOptions(data);
}

export function NewLeadPage() {
  const { form: words } = t.leads;
  const { campaign_id = '' } = useSearch({ from: '/shell/leads/new' });
  const campaigns = useCampaignOptions();
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const initialValues: NewLead = {
    phone_number: '',
    campaign_id,
    variables: { name: '' },
    secondary_contacts: [],
    allow_dupplicate: false,
  };
  return (
    <>
      <PageHeader title={t.leads.create} above={[leadsLink]} />
      {campaigns?.length === 0 && (
        <Text mb="md">
          {words.noCampaign}{' '}
          <LinkAnchor to="/campaigns/new" underline="always">
            {t.leads.importing.newCampaign}
          </LinkAnchor>
        </Text>
      )}
      <ApiForm
        isNew
        initialValues={initialValues}
        submit={words.create}
        forbidden={can('write') ? null : t.needsScope('write')}
        save={(_, values) =>
          api.POST('/user/lead', { body: { ...values, campaign_id: Number(values.campaign_id) } })
        }
        onSaved={async (result) => {
          notifyDone(words.created);
          await client.invalidateQueries();
          const { data } = result as { data: { data: Lead } };
          void navigate({ to: '/leads/$id', params: { id: String(data.data.id) } });
        }}
      >
        {(form) => (
          <Stack gap="md" maw={560}>
            <TextInput
              label={words.phone}
              description={words.phoneHelp}
              required
              autoComplete="off"
              {...form.getInputProps('phone_number')}
            />
            <Select
              label={words.campaign}
              required
              searchable
              data={campaigns ?? []}
              {...form.getInputProps('campaign_id')}
            />
            <VariablesInput {...form.getInputProps('variables')} />
            <ContactsInput form={form} />
            <Checkbox
              label={words.duplicate}
              {...form.getInputProps('allow_dupplicate', { type: 'checkbox' })}
            />
          </Stack>
        )}
      </ApiForm>
    </>
  );
}

export function EditLeadPage() {
  const { id } = useParams({ from: '/shell/leads/$id/edit' });
  const query = $api.useQuery('get', '/user/leads/{id}', { params: { path: { id: Number(id) } } });
  const lead = query.data?.data;
  if (query.error && !lead) {
    return <FailedPage title={t.leads.title} above={[leadsLink]} query={query} />;
  }
  const title = t.leads.editTitle(lead ? formatPhone(lead.phone_number) : '…');
  return (
    <>
      <PageHeader
        title={title}
        above={[
          leadsLink,
          ...(lead
            ? [
                <LinkAnchor key="lead" to="/leads/$id" params={{ id }} size="sm">
                  {formatPhone(lead.phone_number)}
                </LinkAnchor>,
              ]
            : []),
        ]}
      />
      {lead ? <EditForm key={id} lead={lead} /> : <Skeleton h={320} maw={560} />}
    </>
  );
}

function EditForm({ lead: stored }: { lead: Lead }) {
  const { form: words } = t.leads;
  const campaigns = useCampaignOptions();
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  // Calls change it meanwhile; the form shows what it began with.
  const [lead] = useState(stored);
  const id = String(lead.id);
  const statuses = [
    ...SETTABLE.map((value) => ({ value: value as string, label: statusOf(value) })),
    ...(SETTABLE.some((status) => status === lead.status)
      ? []
      : [{ value: lead.status, label: words.statusKeep(statusOf(lead.status)) }]),
  ];
  const put = ({ campaign_id: campaign, ...changed }: { campaign_id?: string }) =>
    api.PUT('/user/leads/{id}', {
      params: { path: { id: lead.id } },
      body: { ...changed, ...(campaign !== undefined && { campaign_id: Number(campaign) }) } as never,
    });
  return (
    <ApiForm
      initialValues={{
        phone_number: lead.phone_number,
        campaign_id: String(lead.campaign_id),
        status: lead.status,
        variables: lead.variables,
      }}
      forbidden={can('write') ? null : t.needsScope('write')}
      save={put}
      onSaved={async (_, former) => {
        // The dialler's own states cannot be set.
        notifyDone(words.saved, 'status' in former ? undefined : () => put(former));
        await client.invalidateQueries();
        void navigate({ to: '/leads/$id', params: { id } });
      }}
    >
      {(form) => (
        <Stack gap="md" maw={560}>
          <TextInput
            label={words.phone}
            description={words.phoneHelp}
            autoComplete="off"
            {...form.getInputProps('phone_number')}
          />
          <Select
            label={words.campaign}
            searchable
            allowDeselect={false}
            data={campaigns ?? []}
            {...form.getInputProps('campaign_id')}
          />
          <Select
            label={words.status}
            description={words.statusHelp}
            allowDeselect={false}
            data={statuses}
            {...form.getInputProps('status')}
          />
          <VariablesInput {...form.getInputProps('variables')} stored={Object.keys(lead.variables)} />
        </Stack>
      )}
    </ApiForm>
  );
}
