import { ChoiceEnv, FlagEnv, IntegerEnv } from './env-fields.js';

const QUIET_HOURS = ['none', 'auto'] as const;
const INBOUND_BUSY = ['reject', 'say'] as const;

export class CallsEnv {
  @FlagEnv({
    name: 'AI_DISCLOSURE',
    example: 'true',
    description: 'Outbound calls begin with the sentence that a machine speaks',
  })
  aiDisclosure = true;

  @IntegerEnv({
    name: 'RING_TIMEOUT_SECONDS',
    min: 5,
    max: 120,
    example: '30',
    description: 'How long a call rings, 5–120 seconds',
  })
  ringTimeoutSeconds = 30;

  @IntegerEnv({
    name: 'DRAIN_SECONDS',
    min: 0,
    max: 3_600,
    example: '60',
    unset: '60; 30 where another process can take calls over',
    description: 'How long a process that is stopped lets its calls go on, 0–3,600 seconds',
  })
  drainSeconds: number | null = null;

  @ChoiceEnv({
    name: 'INBOUND_BUSY',
    values: INBOUND_BUSY,
    example: 'reject',
    description: 'Callers beyond parallel calls or balance hear: `reject`: a busy tone; `say`: a sentence',
  })
  inboundBusy: (typeof INBOUND_BUSY)[number] = 'reject';

  @IntegerEnv({
    name: 'CARRIER_CALLS_PER_SECOND',
    min: 1,
    max: 1_000,
    example: '1',
    unset: '1, the limit of a new account at the carrier; none with the sandbox',
    description: 'Calls that all processes together place in a second, 1–1,000',
  })
  carrierCallsPerSecond: number | null = null;

  @FlagEnv({
    name: 'MAX_CALLS_INCLUDE_MAKE_CALL',
    example: 'false',
    description: '`make_call` refuses a number that was called too often, by the next two settings',
  })
  maxCallsIncludeMakeCall = false;

  @IntegerEnv({
    name: 'MAX_CALLS_PER_NUMBER_PER_DAY',
    min: 1,
    max: 1_000,
    example: '3',
    description: 'Calls of an account to one number in 24 hours',
  })
  maxCallsPerDay = 3;

  @IntegerEnv({
    name: 'MAX_CALLS_PER_NUMBER_PER_30_DAYS',
    min: 1,
    max: 10_000,
    example: '30',
    description: 'The same in 30 days',
  })
  maxCallsPer30Days = 30;

  @ChoiceEnv({
    name: 'QUIET_HOURS_DEFAULT',
    values: QUIET_HOURS,
    example: 'auto',
    description: '`quiet_hours` of new campaigns that say nothing of it',
  })
  quietHoursDefault: (typeof QUIET_HOURS)[number] = 'none';
}
