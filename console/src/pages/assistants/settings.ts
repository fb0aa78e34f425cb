import type { AssistantValues } from './assistant-values';
import settings from './settings.json';

/** What docs/use/assistant-settings.md says about a setting, and the limits of the API. */
export interface Setting {
  /** Its name in requests. */
  setting: string;
  /** What it does in a call, by mode; without `multimodal`: the same. */
  pipeline: string;
  multimodal?: string;
  description?: string;
  values?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  isClearable: boolean;
  isRequired: boolean;
}

export const settingOf = (name: keyof AssistantValues): Setting =>
  (settings as Record<string, Setting>)[name] ?? {
    setting: name,
    pipeline: '',
    isClearable: false,
    isRequired: false,
  };

/** Fields have other names in answers than in texts of the documentation. */
const SHOWN = new Map(Object.entries(settings).map(([name, { setting }]) => [setting, name]));

export const fieldOf = (setting: string): string => SHOWN.get(setting) ?? setting;
