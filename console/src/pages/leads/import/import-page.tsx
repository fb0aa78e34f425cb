import { Button, Group, Stepper } from '@mantine/core';
import { useBlocker, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { NeedsScope } from '#console/components/needs-scope';
import { PageHeader } from '#console/components/page-header';
import { useFirst } from '#console/components/use-first';
import { t } from '#console/texts';
import { problemOf, namesOf, proposePlan, variablesOf, type ColumnPlan } from './column-plan';
import { ColumnsStep } from './columns-step';
import { renameColumns, type CsvHead } from './csv-file';
import { FileStep } from './file-step';
import { LineErrors, Outlook } from './report';
import { ResultStep } from './result-step';
import { SendProgress } from './send-progress';
import { useSending } from './use-sending';

const STALE_MS = 60_000;
const [FILE, COLUMNS, CHECK, RESULT] = [0, 1, 2, 3];

export function ImportPage() {
  const { importing } = t.leads;
  const { campaign_id: given } = useSearch({ from: '/shell/leads/import' });
  const change = useSearchChange();
  const campaigns = $api.useQuery('get', '/user/campaigns', undefined, { staleTime: STALE_MS });
  const list = campaigns.data;
  const only = useFirst(list?.length === 1 ? list[0]?.id : undefined);
  const campaign = list?.find(({ id }) => (given === undefined ? id === only : String(id) === given));
  const assistants = $api.useQuery('get', '/user/assistants', undefined, { staleTime: STALE_MS });
  const assistant = assistants.data?.find(({ id }) => id === campaign?.assistant_id);
  const used = variablesOf(`${assistant?.initial_message ?? ''} ${assistant?.system_prompt ?? ''}`);

  const [step, setStep] = useState(FILE);
  const [head, setHead] = useState<CsvHead | null>(null);
  const [plan, setPlan] = useState<ColumnPlan[]>([]);
  const [allowsDuplicates, setDuplicates] = useState(false);
  const check = useSending();
  const run = useSending();
  useBlocker({
    shouldBlockFn: async () => run.isSending && !(await confirm({ ...importing.leave, isDangerous: true })),
    enableBeforeUnload: () => run.isSending,
  });

  const send = (sending: typeof run, isDryRun: boolean): Promise<boolean> =>
    head === null || campaign === undefined
      ? Promise.resolve(false)
      : sending.send({
          content: renameColumns(head, namesOf(plan)),
          name: head.file.name,
          campaignId: campaign.id,
          allowsDuplicates,
          isDryRun,
        });
  const toColumns = (): void => {
    if (head) setPlan(proposePlan(head, used));
    setStep(COLUMNS);
  };
  const toCheck = (): void => {
    run.reset();
    setStep(CHECK);
    void send(check, true);
  };
  const toResult = async (): Promise<void> => {
    if (await send(run, false)) setStep(RESULT);
  };
  const restart = (): void => {
    setHead(null);
    setStep(FILE);
  };

  return (
    <>
      <PageHeader
        title={importing.title}
        text={importing.text}
        above={[
          <LinkAnchor key="leads" to="/leads" size="sm">
            {t.leads.title}
          </LinkAnchor>,
        ]}
      />
      <Stepper
        active={step}
        size="xs"
        mb="lg"
        iconSize={24}
        // In one line on phones, too.
        wrap={false}
        styles={{ separator: { marginInline: 4 }, stepBody: { marginInlineStart: 6 } }}
        allowNextStepsSelect={false}
        onStepClick={setStep}
      >
        {([FILE, COLUMNS, CHECK, RESULT] as const).map((n) => (
          <Stepper.Step
            key={n}
            label={Object.values(importing.steps)[n]}
            allowStepSelect={n < step && step < RESULT && !run.isSending}
          />
        ))}
      </Stepper>
      {campaigns.error && !list ? <ErrorNote error={campaigns.error} retry={campaigns.refetch} /> : null}
      {step === FILE && (
        <>
          <FileStep
            head={head}
            onHead={setHead}
            campaigns={list}
            campaignId={campaign?.id ?? null}
            onCampaign={(id) => change({ campaign_id: id ?? undefined }, { isStep: false })}
          />
          <Group mt="md">
            <Button disabled={head === null || campaign === undefined} onClick={toColumns}>
              {importing.next}
            </Button>
          </Group>
        </>
      )}
      {step === COLUMNS && head && (
        <>
          <ColumnsStep
            {...{ head, plan, used, allowsDuplicates }}
            onPlan={setPlan}
            onDuplicates={setDuplicates}
          />
          <Group mt="md">
            <Button variant="default" onClick={() => setStep(FILE)}>
              {importing.back}
            </Button>
            <NeedsScope scope="write">
              {(refusal) => (
                <Button disabled={problemOf(plan) !== null} onClick={toCheck} {...refusal}>
                  {importing.check}
                </Button>
              )}
            </NeedsScope>
          </Group>
        </>
      )}
      {step === CHECK && head && (
        <>
          {check.isSending && <SendProgress sent={check.sent} text={importing.checking} />}
          {check.error !== null && <ErrorNote error={check.error} retry={toCheck} />}
          {check.report && !run.isSending && (
            <>
              <Outlook report={check.report} />
              <LineErrors head={head} names={namesOf(plan)} report={check.report} />
            </>
          )}
          {run.isSending && campaign && (
            <SendProgress sent={run.sent} text={importing.runs} campaignId={campaign.id} />
          )}
          {run.error !== null && <ErrorNote error={run.error} retry={toResult} />}
          <Group mt="md">
            <Button variant="default" disabled={run.isSending} onClick={() => setStep(COLUMNS)}>
              {importing.back}
            </Button>
            {check.report && (
              <Button loading={run.isSending} disabled={check.report.imported === 0} onClick={toResult}>
                {importing.run(check.report.imported)}
              </Button>
            )}
          </Group>
        </>
      )}
      {step === RESULT && head && campaign && run.report && (
        <ResultStep
          head={head}
          names={namesOf(plan)}
          report={run.report}
          campaignId={campaign.id}
          onAgain={restart}
        />
      )}
    </>
  );
}
