/** How the widget looks; absent: the default. The keys of `widget_settings`. */
export interface WidgetSettings {
  position?: string;
  color?: string;
  theme?: string;
  header_title?: string;
  header_subtitle?: string;
  button_main_text?: string;
  button_sub_text?: string;
  start_button_text?: string;
  modal_title?: string;
  modal_description?: string;
}

const KEYS = [
  'position',
  'color',
  'theme',
  'header_title',
  'header_subtitle',
  'button_main_text',
  'button_sub_text',
  'start_button_text',
  'modal_title',
  'modal_description',
] as const;

/** The script's `data-*` attributes win over what the assistant's settings say. */
export function mergeSettings(stored: WidgetSettings, attributes: DOMStringMap): WidgetSettings {
  const merged: WidgetSettings = { ...stored };
  for (const key of KEYS) {
    const given = attributes[key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (given) merged[key] = given;
  }
  return merged;
}
