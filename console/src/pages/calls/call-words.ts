import type { Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { formatDuration } from '#console/formats/duration';
import { formatPhone } from '#console/formats/numbers';
import { nameOf } from '#console/pages/leads/lead-words';
import { t } from '#console/texts';

export type Call = Schemas['CallResponse'];
type Status = Call['status'];

export const RUNNING: readonly string[] = ['initiated', 'ringing', 'in-progress'] satisfies Status[];
const UNREACHED: readonly string[] = ['busy', 'no-answer', 'failed'] satisfies Status[];

export const isRunning = ({ status }: { status: string }): boolean => RUNNING.includes(status);

export const isUnreached = ({ status }: { status: string }): boolean => UNREACHED.includes(status);

export function toneOf(status: string): Tone {
  if (RUNNING.includes(status)) return 'running';
  if (status === 'failed') return 'bad';
  if (UNREACHED.includes(status)) return 'waiting';
  return status === 'completed' ? 'good' : 'neutral';
}

/** Whom the call is with. */
export function partnerOf({
  client_phone_number: phone,
  type,
}: Pick<Call, 'client_phone_number' | 'type'>): string {
  if (type === 'web') return t.calls.visitor;
  return phone === 'anonymous' ? t.calls.withheld : formatPhone(phone);
}

/** Of the evaluation, in the sentence. */
const MOST_RESULTS = 2;
const LONGEST_RESULT = 60;

/** What happened, why it ended, and what came of it. */
export function describeCall(call: Call): string {
  const { sentence } = t.call;
  const name = nameOf(call);
  const partner = partnerOf(call);
  const who = name === null ? partner : `${name} (${partner})`;
  const begin =
    call.type === 'web'
      ? sentence.web(call.assistant_name)
      : call.type === 'inbound'
        ? sentence.inbound(call.assistant_name, who)
        : (isRunning(call) ? sentence.calling : sentence.outbound)(
            call.assistant_name,
            who,
            call.campaign_name,
          );
  return [begin, ...progressOf(call), resultOf(call)].filter((text) => text !== '').join(' ');
}

/** Texts that the evaluation found: `Appointment: Thursday at 3 pm.` */
function resultOf({ evaluation }: Call): string {
  const found = Object.entries(evaluation).filter(
    ([, value]) => typeof value === 'string' && value !== '' && value.length <= LONGEST_RESULT,
  );
  const texts = found
    .slice(0, MOST_RESULTS)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`);
  return texts.length === 0 ? '' : sentenceOf(`${texts.join(', ')}.`);
}

const sentenceOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function progressOf(call: Call): string[] {
  const { sentence } = t.call;
  if (UNREACHED.includes(call.status)) {
    return [sentence.unreached[call.status] ?? '', sentence.whyUnreached(call.ended_reason)];
  }
  const answered = call.type === 'outbound' ? (sentence.answeredBy[call.answered_by] ?? '') : '';
  if (isRunning(call)) {
    return [call.status === 'in-progress' ? answered : '', sentence.runs[call.status] ?? ''];
  }
  const reason = call.ended_reason ?? sentence.endedBy[call.ended_by ?? 'system'] ?? 'ended';
  // Of a machine the reason says more.
  return [reason === 'voicemail' ? '' : answered, sentence.ended(reason, formatDuration(call.duration))];
}

/** Settings of speech: what does not apply them depends on what heard and spoke in the call. */
const OF_VOICES = ['voice_id', 'voice_stability', 'voice_similarity'];
const OF_BROWSERS = [
  ...OF_VOICES,
  'interrupt_sensitivity',
  'endpoint_type',
  'endpoint_sensitivity',
  'noise_cancellation',
  'ambient_sound',
  'ambient_sound_volume',
];

/** What the assistant's form calls a setting: some have other names in answers than in requests. */
export function settingName(name: string): string {
  const labels: Record<string, string> = { ...t.assistants.limits.otherNames, ...t.assistants.labels };
  return labels[name] ?? labels[`${name}_id`] ?? labels[`enable_${name}`] ?? name;
}

/** Why a call ended or was not placed, as the overview says it. */
export const reasonOf = (reason: string): string => t.overview.outcomes.names[reason] ?? reason;

/** Why a setting of the assistant did not apply to the call. */
export function whyNotApplied(name: string, { settings_not_applied: all }: Call): string {
  // Only browsers decide alone when somebody interrupts, and only realtime models have no temperature.
  if (all.includes('interrupt_sensitivity') && OF_BROWSERS.includes(name)) return t.call.whyBrowser;
  if (all.includes('llm_temperature') && OF_VOICES.includes(name)) return t.call.whyRealtime;
  return t.call.why[name] ?? t.call.whyUnknown;
}
