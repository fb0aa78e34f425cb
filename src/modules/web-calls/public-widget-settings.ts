/** The keys of `widget_settings` that pages may read; others may be notes of the account's owner. */
export const PUBLIC_WIDGET_SETTINGS = [
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
export type PublicWidgetSetting = (typeof PUBLIC_WIDGET_SETTINGS)[number];
