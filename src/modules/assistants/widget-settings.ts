import type { FieldErrors } from '#src/common/errors/api-error.js';
import { coerceBoolean, fieldMessage } from '#src/common/validation/field-rules.js';
import type { FieldOptions } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';

const MAX_KILOBYTES = 16;
const MAX_ORIGINS = 50;
const MAX_ORIGIN_LENGTH = 255;
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+$/i;

/** What counts where the settings do not say: the widget is off, and no page may show it. */
const DEFAULTS = { enabled: false, allowed_origins: [] };

/** Of a new assistant. */
export const WIDGET_DEFAULTS = { ...DEFAULTS, theme: 'light', color: '#2563eb', position: 'bottom-right' };

export const WidgetSettingsField = (options: FieldOptions) =>
  FreeObjectField({
    ...options,
    description:
      '`enabled`: whether web pages may start conversations; `allowed_origins`: the origins of these pages, ' +
      'none where the list is empty. Other keys are kept as they are. Replaced whole.',
    maxKilobytes: MAX_KILOBYTES,
    properties: {
      enabled: { type: 'boolean', default: false },
      allowed_origins: {
        type: 'array',
        maxItems: MAX_ORIGINS,
        items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH, example: 'https://example.com' },
      },
    },
  });

/** With the defaults; also of rows that are older than they. */
export const withWidgetDefaults = (stored: Record<string, unknown>): Record<string, unknown> => ({
  ...DEFAULTS,
  ...stored,
});

/** Whether a page of this origin, as browsers write it, may start conversations. */
export function isOpenTo(stored: Record<string, unknown>, origin: string): boolean {
  const { enabled, allowed_origins: origins } = withWidgetDefaults(stored);
  return enabled === true && Array.isArray(origins) && origins.includes(origin);
}

/** What a request gives: booleans as forms write them, origins as browsers do. Wrong values stay as they came. */
export function readWidgetSettings(given: Record<string, unknown>): Record<string, unknown> {
  const { enabled, allowed_origins: origins } = given;
  return {
    ...given,
    enabled: coerceBoolean(isGiven(enabled) ? enabled : DEFAULTS.enabled),
    allowed_origins: Array.isArray(origins)
      ? origins.map((origin: unknown) => originOf(origin) ?? origin)
      : isGiven(origins)
        ? origins
        : DEFAULTS.allowed_origins,
  };
}

/** Forms send an empty text for what is not filled in. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

export function widgetErrors({ enabled, allowed_origins: origins }: Record<string, unknown>): FieldErrors {
  const errors: FieldErrors = {};
  if (typeof enabled !== 'boolean') {
    errors['widget_settings.enabled'] = [fieldMessage('enabled', 'must be true or false')];
  }
  const problem = originsProblem(origins);
  if (problem) errors['widget_settings.allowed_origins'] = [fieldMessage('allowed_origins', problem)];
  return errors;
}

function originsProblem(origins: unknown): string | null {
  if (!Array.isArray(origins)) return 'must be an array';
  if (origins.length > MAX_ORIGINS) return `must not have more than ${MAX_ORIGINS} items`;
  return origins.every((origin) => originOf(origin) !== null)
    ? null
    : 'must be a list of origins such as https://example.com';
}

/** As browsers write it: scheme and host in lower case, without the scheme's own port. */
function originOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ORIGIN_LENGTH || !ORIGIN.test(value)) return null;
  return URL.canParse(value) ? new URL(value).origin : null;
}
