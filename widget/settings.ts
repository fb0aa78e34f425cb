import { WIDGET_TEXTS, type WidgetText } from '../src/modules/web-calls/widget-texts.js';

/** How the widget looks; absent: the default. */
export type WidgetSettings = Partial<Record<WidgetText, string>>;

/** The script's `data-*` attributes win over what the assistant's settings say. */
export function mergeSettings(stored: WidgetSettings, attributes: DOMStringMap): WidgetSettings {
  const merged: WidgetSettings = { ...stored };
  for (const key of WIDGET_TEXTS) {
    const given = attributes[key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (given) merged[key] = given;
  }
  return merged;
}
