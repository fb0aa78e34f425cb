import { Skeleton, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { $api, api, type Schemas } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { ErrorNote } from '#console/components/error-note';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { CampaignFields, type CampaignValues } from './campaign-fields';
import { needHours, newValues, toBody, toValues } from './campaign-values';

const campaignsLink = (
  <LinkAnchor key="campaigns" to="/campaigns" size="sm">
    {t.campaigns.title}
  </LinkAnchor>
);

export function NewCampaignPage() {
  const { assistant_id: assistantId = null, copy } = useSearch({ from: '/shell/campaigns/new' });
  const original = $api.useQuery(
    'get',
    '/user/campaigns/{id}',
    { params: { path: { id: Number(copy) } } },
    { enabled: copy !== undefined },
  );
  const assistants = $api.useQuery('get', '/user/assistants', { params: { query: { type: 'outbound' } } });
  const { facts } = useSession();
  const isReady = assistants.data !== undefined && (copy === undefined || !original.isLoading);
  const { form: words, empty } = t.campaigns;
  const copied = original.data?.data;
  const only = assistants.data?.length === 1 ? String(assistants.data[0]?.id) : null;
  return (
    <>
      <PageHeader title={t.campaigns.create} above={[campaignsLink]} />
      {assistants.error && !assistants.data ? (
        <ErrorNote error={assistants.error} retry={assistants.refetch} />
      ) : null}
      {assistants.data?.length === 0 && (
        <Text mb="md">
          {words.noAssistant}{' '}
          <LinkAnchor to="/assistants" underline="always">
            {empty.toAssistants}
          </LinkAnchor>
        </Text>
      )}
      {isReady ? (
        <NewForm
          initial={
            copied
              ? { ...toValues(copied), name: t.campaigns.copyOf(copied.name) }
              : newValues(facts.carrier.sandbox, assistantId ?? only)
          }
        />
      ) : (
        !assistants.error && <Skeleton h={640} maw={760} />
      )}
    </>
  );
}

function NewForm({ initial }: { initial: CampaignValues }) {
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ApiForm
      isNew
      initialValues={initial}
      submit={t.campaigns.submit}
      forbidden={can('write') ? null : t.needsScope('write')}
      save={async (values) => {
        needHours(values);
        return api.POST('/user/campaigns', { body: toBody(values) as never });
      }}
      onSaved={async (result) => {
        notifyDone(t.campaigns.form.created);
        await client.invalidateQueries();
        const { data } = result as { data: { data: Schemas['CampaignResponse'] } };
        void navigate({ to: '/campaigns/$id', params: { id: String(data.data.id) } });
      }}
    >
      {(form) => <CampaignFields form={form} />}
    </ApiForm>
  );
}

export function EditCampaignPage() {
  const { id } = useParams({ from: '/shell/campaigns/$id/edit' });
  const query = $api.useQuery('get', '/user/campaigns/{id}', { params: { path: { id: Number(id) } } });
  const campaign = query.data?.data;
  if (query.error && !campaign) {
    return <FailedPage title={t.campaigns.title} above={[campaignsLink]} query={query} />;
  }
  return (
    <>
      <PageHeader
        title={t.campaigns.form.editTitle(campaign?.name ?? '…')}
        above={[
          campaignsLink,
          <LinkAnchor key="campaign" to="/campaigns/$id" params={{ id }} size="sm">
            {campaign?.name ?? '…'}
          </LinkAnchor>,
        ]}
      />
      {campaign ? <EditForm key={id} campaign={campaign} /> : <Skeleton h={640} maw={760} />}
    </>
  );
}

function EditForm({ campaign }: { campaign: Schemas['CampaignDetailsResponse'] }) {
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const put = (changed: Partial<CampaignValues>) =>
    api.PUT('/user/campaigns/{id}', {
      params: { path: { id: campaign.id } },
      body: toBody(changed) as never,
    });
  return (
    <ApiForm
      initialValues={toValues(campaign)}
      forbidden={can('write') ? null : t.needsScope('write')}
      save={async (changed) => {
        needHours(changed);
        return put(changed);
      }}
      onSaved={async (_, former) => {
        notifyDone(t.campaigns.form.saved, () => put(former));
        await client.invalidateQueries();
        void navigate({ to: '/campaigns/$id', params: { id: String(campaign.id) } });
      }}
    >
      {(form) => <CampaignFields form={form} />}
    </ApiForm>
  );
}
