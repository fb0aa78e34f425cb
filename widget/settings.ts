import {
  PUBLIC_WIDGET_SETTINGS,
  type PublicWidgetSetting,
} from '../src/modules/web-calls/public-widget-settings.js';

/** How the widget looks; absent: the default. */
export type WidgetSettings = Partial<Record<PublicWidgetSetting, string>>;

/** The script's `data-*` attributes win over what the assistant's settings say. */
export function mergeSettings(stored: WidgetSettings, attributes: DOMStringMap): WidgetSettings {
  const merged: WidgetSettings = { ...stored };
  for (const key of PUBLIC_WIDGET_SETTINGS) {
    const given = attributes[key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (given) merged[key] = given;
  }
  return merged;
}
