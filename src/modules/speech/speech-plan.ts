import type { Catalog, SpeechProvider } from '../catalog/catalog.js';
import type { SpeechKind } from '../catalog/catalog.types.js';

/** A voice by the name of its provider. */
export interface NamedVoice {
  provider: string;
  /** Its name at the provider. */
  providerVoice: string;
}

/** What an assistant has chosen. */
export interface ChosenProviders {
  synthesizerProviderId: number | null;
  transcriberProviderId: number | null;
  /** Null: it does not speak the language. */
  voice?: NamedVoice | null;
  /** Speak in this order when the ones before have failed. */
  fallbackVoices?: readonly NamedVoice[];
}

/** A provider that has failed in a call; `voice` of synthesizers. */
export interface FailedProvider {
  kind: SpeechKind;
  provider: string;
  voice: string | null;
}

export interface PlannedVoice {
  provider: SpeechProvider;
  voice: string;
}

/** Providers that can be used in a call. */
export interface SpeechPlan {
  /** Who speaks, and in which order others take its place: at least one. */
  voices: readonly [PlannedVoice, ...PlannedVoice[]];
  transcriber: SpeechProvider;
}

/** Whether a provider can be asked: there is an adapter for it, and its endpoint is set. */
export type IsUsable = (provider: SpeechProvider) => boolean;

/** Null where nobody is left who speaks, or who listens. */
export function planSpeech(
  catalog: Catalog,
  chosen: ChosenProviders,
  isUsable: IsUsable,
  failed: readonly FailedProvider[] = [],
): SpeechPlan | null {
  const { synthesizerProviderId, transcriberProviderId } = chosen;
  if (synthesizerProviderId === null || transcriberProviderId === null) return null;
  const hasFailed = (kind: SpeechKind, { name }: SpeechProvider, voice: string | null): boolean =>
    failed.some((one) => one.kind === kind && one.provider === name && one.voice === voice);
  const transcriber = chainOf(catalog, transcriberProviderId, 'transcriber').find(
    (provider) => isUsable(provider) && !hasFailed('transcriber', provider, null),
  );
  const synthesizers = chainOf(catalog, synthesizerProviderId, 'synthesizer');
  const [first, ...others] = unique([
    ...synthesizers.slice(0, 1).flatMap((provider) => ofAssistant(provider, chosen.voice)),
    ...(chosen.fallbackVoices ?? []).flatMap((voice) => atProvider(catalog, voice)),
    ...synthesizers.slice(1).flatMap((provider) => ofAssistant(provider, null)),
  ]).filter(({ provider, voice }) => isUsable(provider) && !hasFailed('synthesizer', provider, voice));
  return first && transcriber ? { voices: [first, ...others], transcriber } : null;
}

/** The provider and, in their order, those that take its place; retired ones without a successor are left out. */
function chainOf(catalog: Catalog, id: number, kind: SpeechKind): SpeechProvider[] {
  const chain: SpeechProvider[] = [];
  const seen = new Set<number>();
  for (let next: number | null = id; next !== null && !seen.has(next);) {
    seen.add(next);
    const provider = catalog.currentProvider(next, kind);
    next = (provider ?? catalog.speechProvider(next, kind))?.fallbackProviderId ?? null;
    if (provider && !chain.includes(provider)) chain.push(provider);
  }
  return chain;
}

const isOf = (voice: NamedVoice, { name }: SpeechProvider): boolean =>
  voice.provider.toLowerCase() === name.toLowerCase();

/** A voice of another provider is replaced by the default one. */
function ofAssistant(provider: SpeechProvider, voice: NamedVoice | null | undefined): PlannedVoice[] {
  const name = voice && isOf(voice, provider) ? voice.providerVoice : provider.defaultVoice;
  return name === null ? [] : [{ provider, voice: name }];
}

function atProvider(catalog: Catalog, voice: NamedVoice): PlannedVoice[] {
  const found = catalog.speechProvidersOf('synthesizer').find((provider) => isOf(voice, provider));
  const provider = found && catalog.currentProvider(found.id, 'synthesizer');
  return provider ? ofAssistant(provider, voice) : [];
}

const unique = (voices: readonly PlannedVoice[]): PlannedVoice[] =>
  voices.filter(
    ({ provider, voice }, index) =>
      voices.findIndex((one) => one.provider.id === provider.id && one.voice === voice) === index,
  );
