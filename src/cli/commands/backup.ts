import type { Command } from 'commander';
import { addCommand, createReportAction, parseDate } from '../option-values.js';
import { formatDateTime, formatQuantity, formatTable, type Report } from '../output.js';
import type { LostCallResult, ReleaseResult } from '../operator/restore-release.js';
import type { RestorePreview } from '../operator/restore-preview.js';

export function addBackupCommand(program: Command): void {
  addCommand(program, 'backup', {
    does: 'write the private database into one file (mode 600), also while the service runs',
    examples: ['backup', 'backup /backups/monday.backup'],
  })
    .argument('[file]', 'a new file; default calls-TIME.backup')
    .action(createReportAction(backUpTo));
}

export function addRestoreCommands(program: Command): void {
  const restore = addCommand(program, 'restore', {
    does: 'put a backup in the place of the private database; the service must be stopped',
    examples: ['restore /backups/monday.backup', 'restore mark', 'restore confirm', 'restore confirm --yes'],
  })
    .argument('<file>', 'a file that backup has written')
    .action(createReportAction(restoreFrom));
  addCommand(restore, 'mark', {
    does: 'say that the database was restored by other tools, before the service is started',
    examples: ['restore mark', 'restore mark --to 2027-01-31T12:00:00Z'],
  })
    .option('--to <time>', 'the moment that it shows; default: when a service last used it', parseDate)
    .action(createReportAction(mark));
  addCommand(restore, 'confirm', {
    does: 'show what a restored database would do, and with --yes let it: record calls placed since, then dial, send and charge',
    examples: ['restore confirm', 'restore confirm --yes'],
  })
    .option('--yes', 'release it')
    .option('--without-carrier', 'do not ask the carrier: calls that were placed since may be placed again')
    .action(createReportAction(confirm));
}

async function backUpTo(given: string | undefined): Promise<Report> {
  const [{ loadSettings }, { backUp }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/private-backup.js'),
  ]);
  const file = given ?? `calls-${new Date().toISOString().replace(/[:.]/g, '-')}.backup`;
  const { manifest, keys } = await backUp(loadSettings(), file);
  const { version, createdAt } = manifest;
  return {
    data: { file, version, created_at: createdAt, keys },
    text: [
      `${file}: the database of version ${version} at ${formatDateTime(new Date(createdAt))}.`,
      `It has no encryption keys. Keep ${keys} too, at another place: without them the secrets in it are lost.`,
    ].join('\n'),
  };
}

async function restoreFrom(file: string): Promise<Report> {
  const [{ loadSettings }, { restore }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/private-backup.js'),
  ]);
  const { manifest, replaced, missingKeys } = await restore(loadSettings(), file);
  const { version, createdAt } = manifest;
  const lines = [
    `Restored: the database of version ${version} at ${formatDateTime(new Date(createdAt))}.`,
    ...(replaced === null
      ? []
      : [`The database before is in ${replaced}. Delete it when you no longer need it.`]),
    ...(missingKeys === null
      ? []
      : [`The keys are missing: put them into ${missingKeys} before you start the service.`]),
    'The service will only show data. Start it, look, then: npm run cli -- restore confirm',
  ];
  return {
    data: { file, version, created_at: createdAt, replaced, missing_keys: missingKeys },
    text: lines.join('\n'),
  };
}

async function mark({ to }: { to?: Date }): Promise<Report> {
  const [{ loadSettings }, { markDatabase }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/restore-mark.js'),
  ]);
  const { restoredAt, restoredTo } = await markDatabase(loadSettings(), to ?? null);
  return {
    data: { restored_at: restoredAt, restored_to: restoredTo },
    text: `Marked as restored to ${formatDateTime(restoredTo)}. Nothing is dialled, sent or charged until: npm run cli -- restore confirm --yes`,
  };
}

async function confirm(options: { yes?: boolean; withoutCarrier?: boolean }): Promise<Report> {
  const [{ loadSettings }, { runAsRestoreOperator }, { releaseRestore }] = await Promise.all([
    import('#src/config/settings.js'),
    import('../operator/operator.js'),
    import('../operator/restore-release.js'),
  ]);
  const result = await runAsRestoreOperator((services) =>
    releaseRestore(services, {
      isConfirmed: options.yes ?? false,
      // The sandbox of the service has only simulated calls, and no command can reach it.
      isWithoutCarrier: options.withoutCarrier ?? loadSettings().carrier === null,
    }),
  );
  return { data: toData(result), text: toText(result) };
}

function toData({ state, preview, lost, released }: ReleaseResult) {
  return {
    restored: state !== null,
    restored_to: state?.restoredTo ?? null,
    because: state?.because ?? null,
    would_run: preview,
    lost_calls: lost?.map(({ call: { sid, from, to, createdAt }, outcome }) => ({
      sid,
      from,
      to,
      created_at: createdAt,
      outcome,
    })),
    released,
  };
}

function toText({ state, preview, lost, released }: ReleaseResult): string {
  if (state === null || preview === null) return 'The database waits for no release.';
  return [
    `The database shows ${formatDateTime(state.restoredTo)}: ${state.because}.`,
    ...previewLines(preview),
    ...lostLines(lost),
    released
      ? 'Released: the service goes on within seconds.'
      : 'Nothing has been changed. To release it: npm run cli -- restore confirm --yes',
  ].join('\n');
}

function previewLines({ campaigns, ...counts }: RestorePreview): string[] {
  return [
    campaigns.length === 0
      ? 'No campaign is in progress.'
      : formatTable(
          ['campaign', 'account', 'name', 'due leads'],
          campaigns.map(({ id, accountId, name, dueLeads }) => [id, accountId, name, dueLeads]),
        ),
    `${formatQuantity(counts.runningCalls, 'call')} running then, ${formatQuantity(counts.openCharges, 'call')} to charge, ` +
      `${formatQuantity(counts.unconfirmedSms, 'message')} to look up at the carrier, ` +
      `${formatQuantity(counts.dueWebhooks, 'webhook')} due, ${formatQuantity(counts.events, 'event')} to hand over, ` +
      `${formatQuantity(counts.dueNumbers, 'number')} to renew or release, ` +
      `${formatQuantity(counts.waitingChats, 'text conversation')} to answer, ` +
      `${formatQuantity(counts.endingChats, 'text conversation')} to end, ` +
      `${formatQuantity(counts.dueRecordings, 'recording')} to copy or delete, ` +
      `${formatQuantity(counts.dueDocuments, 'document')} to read, ` +
      `${formatQuantity(counts.personalDataJobs, 'personal data job')} to finish.`,
  ];
}

const OUTCOMES: Record<NonNullable<LostCallResult['outcome']>, string> = {
  recorded: 'recorded',
  no_lead: 'no lead waits',
  unknown_number: 'number of no account',
  in_call: 'lead is in a call',
};
/** The rest is in the output of `--json`. */
const MAX_SHOWN = 50;

function lostLines(lost: LostCallResult[] | null): string[] {
  if (lost === null) return ['The carrier was not asked which calls were placed since.'];
  if (lost.length === 0) return ['The carrier has placed no call that is not in the database.'];
  const rows = lost
    .slice(0, MAX_SHOWN)
    .map(({ call: { createdAt, from, to, sid }, outcome }) => [
      formatDateTime(createdAt),
      from,
      to,
      sid,
      outcome === null ? '' : OUTCOMES[outcome],
    ]);
  return [
    `The carrier has placed ${formatQuantity(lost.length, 'call')} that ${lost.length === 1 ? 'is' : 'are'} not in the database:`,
    formatTable(['placed at', 'from', 'to', 'id', ''], rows),
  ];
}
