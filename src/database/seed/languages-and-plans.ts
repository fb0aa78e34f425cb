export interface LanguageSeed {
  id: number;
  name: string;
  /** ISO 639-1 */
  iso_2: string;
  /** BCP 47, for carriers and speech providers. */
  tag: string;
}

const rows: [number, string, string, string][] = [
  [1, 'English', 'en', 'en-US'],
  [2, 'English (UK)', 'en', 'en-GB'],
  [3, 'German', 'de', 'de-DE'],
  [4, 'French', 'fr', 'fr-FR'],
  [5, 'Spanish', 'es', 'es-ES'],
  [6, 'Spanish (Mexico)', 'es', 'es-MX'],
  [7, 'Italian', 'it', 'it-IT'],
  [8, 'Portuguese', 'pt', 'pt-PT'],
  [9, 'Portuguese (Brazil)', 'pt', 'pt-BR'],
  [10, 'Dutch', 'nl', 'nl-NL'],
  [11, 'Polish', 'pl', 'pl-PL'],
  [12, 'Turkish', 'tr', 'tr-TR'],
  [13, 'Swedish', 'sv', 'sv-SE'],
  [14, 'Danish', 'da', 'da-DK'],
  [15, 'Norwegian', 'no', 'nb-NO'],
  [16, 'Finnish', 'fi', 'fi-FI'],
  [17, 'Czech', 'cs', 'cs-CZ'],
  [18, 'Slovak', 'sk', 'sk-SK'],
  [19, 'Hungarian', 'hu', 'hu-HU'],
  [20, 'Romanian', 'ro', 'ro-RO'],
  [21, 'Bulgarian', 'bg', 'bg-BG'],
  [22, 'Greek', 'el', 'el-GR'],
  [23, 'Ukrainian', 'uk', 'uk-UA'],
  [24, 'Russian', 'ru', 'ru-RU'],
  [25, 'Arabic', 'ar', 'ar-SA'],
  [26, 'Hebrew', 'he', 'he-IL'],
  [27, 'Hindi', 'hi', 'hi-IN'],
  [28, 'Indonesian', 'id', 'id-ID'],
  [29, 'Vietnamese', 'vi', 'vi-VN'],
  [30, 'Japanese', 'ja', 'ja-JP'],
  [31, 'Korean', 'ko', 'ko-KR'],
  [32, 'Chinese (Mandarin)', 'zh', 'zh-CN'],
  [33, 'Catalan', 'ca', 'ca-ES'],
  [34, 'Croatian', 'hr', 'hr-HR'],
  [35, 'French (Canada)', 'fr', 'fr-CA'],
  [36, 'English (Australia)', 'en', 'en-AU'],
];

export const LANGUAGES: LanguageSeed[] = rows.map(([id, name, iso_2, tag]) => ({ id, name, iso_2, tag }));

/** `unlimited` has no limits but those of the machine. */
export const PLANS = [
  {
    name: 'free',
    max_tools: 5,
    max_assistants: 1000,
    max_campaigns: 5,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 2,
    max_knowledge_bases: 2,
    max_documents: 10,
    max_document_megabytes: 20,
    max_website_pages: 20,
    price_per_minute_micros: 0,
  },
  {
    name: 'standard',
    max_tools: 50,
    max_assistants: 1000,
    max_campaigns: 100,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 10,
    max_knowledge_bases: 20,
    max_documents: 200,
    max_document_megabytes: 200,
    max_website_pages: 60,
    price_per_minute_micros: 50_000,
  },
  {
    name: 'unlimited',
    max_tools: 1000,
    max_assistants: 1_000_000,
    max_campaigns: 10_000,
    max_leads_per_campaign: 100_000_000,
    max_parallel_calls: 1000,
    max_knowledge_bases: 10_000,
    max_documents: 100_000,
    max_document_megabytes: 1_000_000,
    max_website_pages: 100,
    price_per_minute_micros: 20_000,
  },
];
