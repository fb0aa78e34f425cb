import { ar } from './ar.js';
import { bg } from './bg.js';
import { ca } from './ca.js';
import { cs } from './cs.js';
import { da } from './da.js';
import { de, deCH } from './de.js';
import { el } from './el.js';
import { en, enGB } from './en.js';
import { es, es419 } from './es.js';
import { fi } from './fi.js';
import { fr, frCA } from './fr.js';
import { he } from './he.js';
import { hi } from './hi.js';
import { hr } from './hr.js';
import { hu } from './hu.js';
import { id } from './id.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { ko } from './ko.js';
import { nb } from './nb.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt, ptBR } from './pt.js';
import { ro } from './ro.js';
import { ru } from './ru.js';
import { sk } from './sk.js';
import { sv } from './sv.js';
import { tr } from './tr.js';
import { uk } from './uk.js';
import { vi } from './vi.js';
import { zh, zhHant } from './zh.js';
import type { LanguagePack } from './language-pack.js';

/** By the language part of a BCP 47 tag. */
const PACKS: Readonly<Record<string, LanguagePack>> = {
  ar,
  bg,
  ca,
  cs,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  he,
  hi,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sk,
  sv,
  tr,
  uk,
  vi,
  zh,
  no: nb,
  nn: nb,
};

/** Regions that speak differently from the language's own pack, by BCP 47 tag. */
const REGIONS: Readonly<Record<string, LanguagePack>> = {
  'de-CH': deCH,
  'de-LI': deCH,
  ...Object.fromEntries(['GB', 'IE', 'AU', 'NZ', 'ZA'].map((region) => [`en-${region}`, enGB])),
  'fr-CA': frCA,
  'pt-BR': ptBR,
  ...Object.fromEntries(['TW', 'HK', 'MO', 'Hant'].map((region) => [`zh-${region}`, zhHant])),
};

/** @param language BCP 47. @returns undefined: the service has no sentences in this language */
export function findPack(language: string): LanguagePack | undefined {
  const [base = '', ...rest] = language.split('-');
  const code = base.toLowerCase();
  const region = rest.at(0) ?? '';
  // All Spanish outside of Spain and the Philippines is that of Latin America.
  if (code === 'es' && region !== '' && !['ES', 'PH', 'GQ'].includes(region)) return es419;
  return REGIONS[`${code}-${region}`] ?? (Object.hasOwn(PACKS, code) ? PACKS[code] : undefined);
}

/** English for languages without a pack: all of the catalogue have one. */
export const packOf = (language: string): LanguagePack => findPack(language) ?? en;

/** One for each language, and those of regions. */
export const ALL_PACKS: readonly LanguagePack[] = [
  ...new Set([...Object.values(PACKS), es419, ...Object.values(REGIONS)]),
];
