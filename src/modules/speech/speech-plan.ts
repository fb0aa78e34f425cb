import type { Catalog, SpeechProvider } from '../catalog/catalog.js';
import type { SpeechKind } from '../catalog/catalog.types.js';

/** A voice by the name of its provider. */
export interface NamedVoice {
  provider: string;
  /** Its name at the provider. */
  providerVoice: string;
}

/** The speech providers and voices in the settings of an assistant. */
export interface ChosenProviders {
  synthesizerProviderId: number | null;
  transcriberProviderId: number | null;
  /** Null: no voice of the assistant speaks the language. */
  voice?: NamedVoice | null;
  /** Used in this order after the failure of the preceding voice. */
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

/** The speech providers of one call. */
export interface SpeechPlan {
  /** The voice and its fallbacks, in their order. */
  voices: readonly [PlannedVoice, ...PlannedVoice[]];
  transcriber: SpeechProvider;
}

/** Whether a provider is usable: its adapter exists and its endpoint is set. */
export type IsUsableProvider = (provider: SpeechProvider) => boolean;

/** Null without a usable synthesizer or without a usable transcriber. */
export function planSpeech(
  catalog: Catalog,
  chosen: ChosenProviders,
  isUsable: IsUsableProvider,
  failed: readonly FailedProvider[] = [],
): SpeechPlan | null {
  const { synthesizerProviderId, transcriberProviderId } = chosen;
  if (synthesizerProviderId === null || transcriberProviderId === null) return null;
  const hasFailed = (kind: SpeechKind, { name }: SpeechProvider, voice: string | null): boolean =>
    failed.some((one) => one.kind === kind && one.provider === name && one.voice === voice);
  const transcriber = fallbackChainOf(catalog, transcriberProviderId, 'transcriber').find(
    (provider) => isUsable(provider) && !hasFailed('transcriber', provider, null),
  );
  const synthesizers = fallbackChainOf(catalog, synthesizerProviderId, 'synthesizer');
  const [first, ...others] = unique([
    ...synthesizers.slice(0, 1).flatMap((provider) => voiceAtProvider(provider, chosen.voice)),
    ...(chosen.fallbackVoices ?? []).flatMap((voice) => findFallbackVoice(catalog, voice)),
    ...synthesizers.slice(1).flatMap((provider) => voiceAtProvider(provider, null)),
  ]).filter(({ provider, voice }) => isUsable(provider) && !hasFailed('synthesizer', provider, voice));
  return first && transcriber ? { voices: [first, ...others], transcriber } : null;
}

/** The provider and its fallbacks in order; retired ones without a successor are left out. */
function fallbackChainOf(catalog: Catalog, id: number, kind: SpeechKind): SpeechProvider[] {
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

const isVoiceOf = (voice: NamedVoice, { name }: SpeechProvider): boolean =>
  voice.provider.toLowerCase() === name.toLowerCase();

/** A voice of another provider is replaced by the default one. */
function voiceAtProvider(provider: SpeechProvider, voice: NamedVoice | null | undefined): PlannedVoice[] {
  const name = voice && isVoiceOf(voice, provider) ? voice.providerVoice : provider.defaultVoice;
  return name === null ? [] : [{ provider, voice: name }];
}

function findFallbackVoice(catalog: Catalog, voice: NamedVoice): PlannedVoice[] {
  const found = catalog.speechProvidersOf('synthesizer').find((provider) => isVoiceOf(voice, provider));
  const provider = found && catalog.currentProvider(found.id, 'synthesizer');
  return provider ? voiceAtProvider(provider, voice) : [];
}

const unique = (voices: readonly PlannedVoice[]): PlannedVoice[] =>
  voices.filter(
    ({ provider, voice }, index) =>
      voices.findIndex((one) => one.provider.id === provider.id && one.voice === voice) === index,
  );
