import { readInstallation, releaseRestored, type RestoreState } from '#src/database/restore-state.js';
import { CarrierError } from '#src/modules/telephony/carrier-error.js';
import type { CarrierCall } from '#src/modules/telephony/carrier-calls.js';
import type { LostCallOutcome } from '#src/modules/dialer/lost-call-records.service.js';
import type { RestoreServices } from './operator.js';
import { previewRestore, type RestorePreview } from './restore-preview.js';

export interface LostCallResult {
  call: CarrierCall;
  /** Null: nothing was recorded, because the gate stays closed. */
  outcome: LostCallOutcome | null;
}

export interface ReleaseResult {
  /** Null: the database waits for no release. */
  state: RestoreState | null;
  preview: RestorePreview | null;
  /** Null: the carrier was not asked. */
  lost: LostCallResult[] | null;
  released: boolean;
}

export interface ReleaseOptions {
  /** Opens the gate; else only what would happen is read. */
  isConfirmed: boolean;
  /** Opens it without knowing which calls were placed since. */
  isWithoutCarrier: boolean;
}

const MOMENT_UNKNOWN =
  'It is not known which moment the database shows, so the carrier cannot be asked what came after it. ' +
  'Say it: npm run cli -- restore mark --to 2027-01-31T12:00:00Z';

/**
 * Compares the restored database with the carrier and opens the gate. It may be repeated: what was recorded is known.
 *
 * @throws Error: the carrier cannot be asked
 */
export async function releaseRestore(
  services: RestoreServices,
  { isConfirmed, isWithoutCarrier }: ReleaseOptions,
): Promise<ReleaseResult> {
  const { db } = services;
  const { restored: state } = await readInstallation(db);
  if (state === null) return { state, preview: null, lost: null, released: false };
  if (state.restoredTo === null && !isWithoutCarrier) throw new Error(MOMENT_UNKNOWN);
  const preview = await previewRestore(db);
  const lost = isWithoutCarrier ? null : await askCarrier(() => compareCalls(services, state, isConfirmed));
  if (isConfirmed) await releaseRestored(db);
  return { state, preview, lost, released: isConfirmed };
}

async function compareCalls(
  { lost, records }: RestoreServices,
  { restoredTo, restoredAt }: RestoreState,
  isConfirmed: boolean,
): Promise<LostCallResult[]> {
  // First: a call that was being placed then is its own call, and not a lost one.
  if (isConfirmed) await lost.settleRunning();
  const results: LostCallResult[] = [];
  for (const call of await lost.findLost(restoredTo ?? restoredAt))
    results.push({ call, outcome: isConfirmed ? await records.recordCall(call) : null });
  return results;
}

async function askCarrier<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    throw new Error(
      `The carrier cannot be asked which calls were placed since (${error.message}). Try again, ` +
        'or release without it (--without-carrier): people who were called since may be called again.',
      { cause: error },
    );
  }
}
