import type { Observation } from '../../../test/support/scenarios/observation.js';
import { UNCHANGED, type Mutation } from '../../../test/support/scenarios/mutation.js';

/** One value between the API and the carrier or the engine that is replaced by its default. */
export interface NamedMutation {
  name: string;
  mutation: Mutation;
}

type Values = Record<string, unknown>;

/** Everything that was planned and rendered for a call. */
export interface Planned {
  relay: Values;
  settings: Values;
  /** Of an outbound call: the request to the carrier. */
  placed: Values;
  attributes: readonly string[];
}

/** Records the plans and documents of a scenario, and changes nothing. */
export class Recording implements Mutation {
  readonly relays: Values[] = [];
  readonly plans: Values[] = [];

  relay: Mutation['relay'] = (settings) => {
    this.relays.push({ ...settings });
    return settings;
  };

  settings: Mutation['settings'] = (settings) => {
    this.plans.push({ ...settings });
    return settings;
  };

  voicemail = UNCHANGED.voicemail;
  placed = UNCHANGED.placed;
  attributes = UNCHANGED.attributes;

  planned({ documents, placed }: Observation): Planned {
    return {
      relay: this.relays[0] ?? {},
      settings: this.plans[0] ?? {},
      placed,
      attributes: documents.flatMap((document) => [...document.keys()]),
    };
  }
}

/**
 * A mutation for each field of a plan and for each attribute of an answer document.
 *
 * @param bare of an assistant without optional settings: the defaults
 * @param all of the scenarios
 */
export function mutationsOf(bare: Planned, all: readonly Planned[]): NamedMutation[] {
  const names = (pick: (planned: Planned) => Iterable<string>): string[] => [
    ...new Set([bare, ...all].flatMap((planned) => [...pick(planned)])),
  ];
  return [
    ...names(({ relay }) => paths(relay)).map((path) => ({
      name: `relay.${path}`,
      mutation: { ...UNCHANGED, relay: replacing(path, bare.relay) },
    })),
    ...names(({ settings }) => Object.keys(settings)).map((path) => ({
      name: `settings.${path}`,
      mutation: { ...UNCHANGED, settings: replacing(path, bare.settings) },
    })),
    {
      name: 'voicemailMessage',
      mutation: { ...UNCHANGED, voicemail: (plan) => ({ ...plan, voicemailMessage: null }) },
    },
    ...names(({ placed }) => Object.keys(placed)).map((path) => ({
      name: `placed.${path}`,
      mutation: { ...UNCHANGED, placed: ({ [path]: _, ...request }) => request },
    })),
    ...names(({ attributes }) => attributes).map((name) => ({
      name: `rendered ${name}`,
      mutation: { ...UNCHANGED, attributes: without(name) },
    })),
  ];
}

/** Values that no request can change, with the reason. */
const FIXED: Record<string, string> = {
  'settings.fallbackAfterMs': 'LLM_FALLBACK_SECONDS sets it for the installation',
  'settings.noticeSaid': 'no in pipeline mode; realtime-conversation.spec.ts has both values',
};

/** Values without effect on the scenarios, which are relay calls of one process, with the tests that have both values. */
const UNUSED: Record<string, string> = {
  'settings.prompt': 'a key of what a process knows of its models: reasoning-buffer.spec.ts',
  'relay.redacts': 'sent to speech providers: deepgram.spec.ts',
};

/** Whether no scenario can detect the replacement of a value. */
export const isUnused = (name: string): boolean => name in UNUSED;

/** Whether a value is known to be the same in every call. @throws Error otherwise: then a scenario has to detect it */
export function isFixed(name: string, all: readonly Planned[]): boolean {
  if (!(name in FIXED)) return false;
  const [part = '', key = ''] = name.split('.');
  const planned = all.map((plan) => plan[part === 'relay' ? 'relay' : 'settings'][key]);
  const values = new Set(planned.filter((value) => value !== undefined));
  if (values.size > 1) throw new Error(`${name} is not fixed any more (${FIXED[name]})`);
  return true;
}

/** Nested objects field by field: the voice's provider and name are separate settings. */
function paths(values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : [key],
  );
}

function replacing(path: string, defaults: Values): <T extends object>(values: T) => T {
  const [key = '', inner] = path.split('.');
  return (values) => {
    const fallback = defaults[key];
    if (inner === undefined) return { ...values, [key]: fallback };
    const own = Reflect.get(values, key) as Values;
    return { ...values, [key]: { ...own, [inner]: (fallback as Values)[inner] } };
  };
}

/** The carrier then uses its default. */
const without =
  (name: string): Mutation['attributes'] =>
  (attributes) =>
    new Map([...attributes].filter(([key]) => key !== name));
