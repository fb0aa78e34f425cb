import { Ajv } from 'ajv';
import { NOISES, type Noise } from '../speech/noise.js';

/** What makes an audio line difficult, beside its callee. Each trait is independent of the others. */
export interface LineTraits {
  /** Sounds behind the callee. `level`: root mean square, in dBFS. */
  background: { sound: Noise; level: number }[];
  /** A person beside the phone who talks now and then, without words that a recogniser understands; null: nobody. */
  second_voice: { level: number } | null;
  /** Each frame of the callee's audio is late by up to this, in steps of a frame. */
  jitter_ms: number;
  /** No frame arrives for `lasts_ms` at the end of each `every_ms`; then all of them do. Null: never. */
  bursts: { every_ms: number; lasts_ms: number } | null;
  /** Percent by which the telephone's clock is faster than the carrier's. */
  clock_drift: number;
  /** `lost` and `doubled`: share of the marks. */
  marks: { late_ms: number; lost: number; doubled: number };
  /** Of all random numbers. */
  seed: number;
}

export const NO_TRAITS: LineTraits = {
  background: [],
  second_voice: null,
  jitter_ms: 0,
  bursts: null,
  clock_drift: 0,
  marks: { late_ms: 0, lost: 0, doubled: 0 },
  seed: 1,
};

/** Traits that no line has. */
export class TraitError extends Error {}

const number = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });
const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** Louder than −20 dBFS a background covers voices. */
const LEVEL = number(-60, -20);

const SCHEMA = object([], {
  background: {
    type: 'array',
    maxItems: 3,
    items: object(['sound', 'level'], { sound: { enum: NOISES }, level: LEVEL }),
  },
  second_voice: { ...object(['level'], { level: LEVEL }), nullable: true },
  jitter_ms: number(0, 500),
  bursts: {
    ...object(['every_ms', 'lasts_ms'], { every_ms: number(1_000, 60_000), lasts_ms: number(40, 5_000) }),
    nullable: true,
  },
  clock_drift: number(-2, 2),
  marks: object([], { late_ms: number(0, 5_000), lost: number(0, 1), doubled: number(0, 1) }),
  seed: { type: 'integer', minimum: 1, maximum: 1_000_000 },
});

type GivenTraits = Partial<Omit<LineTraits, 'marks'>> & { marks?: Partial<LineTraits['marks']> };

const ajv = new Ajv({ validateSchema: false });

/** @throws TraitError that names the wrong trait and its limits */
export function readLineTraits(given: unknown): LineTraits {
  const validate = ajv.compile<GivenTraits>(SCHEMA);
  if (!validate(given)) throw new TraitError(messageOf(validate.errors?.[0]));
  const { bursts } = given;
  if (bursts && bursts.lasts_ms >= bursts.every_ms)
    throw new TraitError('traits/bursts/lasts_ms must be < every_ms');
  return { ...NO_TRAITS, ...given, marks: { ...NO_TRAITS.marks, ...given.marks } };
}

interface SchemaError {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

function messageOf({
  instancePath = '',
  message = 'is invalid',
  params = {},
}: Partial<SchemaError> = {}): string {
  const { additionalProperty: unknown, allowedValues: values } = params;
  const path = `traits${instancePath}`;
  if (unknown !== undefined) return `${path} has no ${String(unknown)}`;
  return Array.isArray(values) ? `${path} must be one of ${values.join(', ')}` : `${path} ${message}`;
}
