import type { FieldErrors } from '#src/common/errors/api-error.js';
import { MICROS_PER_UNIT } from '#src/common/money/micros.js';
import { coerceBoolean, coerceNumber, fieldMessage } from '#src/common/validation/field-rules.js';
import type { FieldOptions } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';

const MAX_KILOBYTES = 16;
const MAX_ORIGINS = 50;
const MAX_ORIGIN_LENGTH = 255;
const MAX_VARIABLES = 50;
const MAX_VARIABLE_LENGTH = 255;
const MAX_BUDGET = 1_000_000;
/** Default share of the balance that visitors may cost in a day. */
const BUDGET_SHARE = 10n;
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+$/i;

/** Defaults: the widget is off, and no page may show it. */
const DEFAULTS = { enabled: false, allowed_origins: [] };

/** Of a new assistant. */
export const WIDGET_DEFAULTS = { ...DEFAULTS, theme: 'light', color: '#2563eb', position: 'bottom-right' };

export const WidgetSettingsField = (options: FieldOptions) =>
  FreeObjectField({
    description:
      '`enabled`: whether web pages may start conversations; `allowed_origins`: the origins of these pages, ' +
      'none where the list is empty; `visitor_variables`: what visitors (requests without a token of the account) may set, ' +
      'by default nothing; `show_tool_results`: whether they see the arguments and results of tools; `daily_budget`: what ' +
      'they may cost in a day (UTC), by default 10 % of the balance; ' +
      'other keys are stored as they are, in place of the stored object.',
    ...options,
    maxKilobytes: MAX_KILOBYTES,
    properties: {
      enabled: { type: 'boolean', default: false },
      allowed_origins: {
        type: 'array',
        maxItems: MAX_ORIGINS,
        items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH, example: 'https://example.com' },
      },
      visitor_variables: {
        type: 'array',
        maxItems: MAX_VARIABLES,
        items: { type: 'string', maxLength: MAX_VARIABLE_LENGTH, example: 'customer_name' },
      },
      show_tool_results: { type: 'boolean', default: false },
      daily_budget: { type: 'number', nullable: true, minimum: 0, maximum: MAX_BUDGET, example: 5 },
    },
  });

/** With the defaults; also of rows that are older than they. */
export const withWidgetDefaults = (stored: Record<string, unknown>): Record<string, unknown> => ({
  ...DEFAULTS,
  ...stored,
});

/** Whether a page of this origin, as browsers write it, may start conversations. */
export function allowsOrigin(stored: Record<string, unknown>, origin: string): boolean {
  const { enabled, allowed_origins: origins } = withWidgetDefaults(stored);
  return enabled === true && Array.isArray(origins) && origins.includes(origin);
}

/** Permissions of visitors; invalid values of older rows count as not set. */
export function visitorRules(stored: Record<string, unknown>): VisitorRules {
  const { visitor_variables: names, show_tool_results: shows, daily_budget: budget } = stored;
  return {
    variables: variablesProblem(names) === null && Array.isArray(names) ? names.map(String) : [],
    showsToolResults: shows === true,
    dailyBudgetMicros: isBudget(budget) ? BigInt(Math.round(budget * Number(MICROS_PER_UNIT))) : null,
  };
}

export interface VisitorRules {
  /** Names of the variables that they may set. */
  variables: readonly string[];
  /** Whether they see the arguments and results of tools. */
  showsToolResults: boolean;
  /** Budget of a day; null: a share of the balance. */
  dailyBudgetMicros: bigint | null;
}

/**
 * Remaining budget of visitors today, in micro-units. A share of the balance is based on the balance at the beginning
 * of the day.
 *
 * @param spentMicros cost of visitors today
 */
export function remainingVisitorBudget(
  stored: Record<string, unknown>,
  balanceMicros: bigint,
  spentMicros: bigint,
): bigint {
  const budget = visitorRules(stored).dailyBudgetMicros ?? (balanceMicros + spentMicros) / BUDGET_SHARE;
  return budget - spentMicros;
}

/** Those of the given variables that visitors may set. */
export function allowedVariables(
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const names = visitorRules(stored).variables.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/**
 * Normalizes the values of a request: booleans as forms write them, origins as browsers do. Invalid values stay
 * unchanged.
 */
export function readWidgetSettings(given: Record<string, unknown>): Record<string, unknown> {
  const { enabled, allowed_origins: origins } = given;
  const { show_tool_results: shows, daily_budget: budget } = given;
  return {
    ...given,
    ...(shows !== undefined && { show_tool_results: coerceBoolean(isGiven(shows) ? shows : false) }),
    ...(budget !== undefined && { daily_budget: isGiven(budget) ? coerceNumber(budget) : null }),
    enabled: coerceBoolean(isGiven(enabled) ? enabled : DEFAULTS.enabled),
    allowed_origins: Array.isArray(origins)
      ? origins.map((origin: unknown) => originOf(origin) ?? origin)
      : isGiven(origins)
        ? origins
        : DEFAULTS.allowed_origins,
  };
}

/** Forms send an empty text for empty fields. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

export function widgetErrors(settings: Record<string, unknown>): FieldErrors {
  const { enabled, allowed_origins: origins, show_tool_results: shows, daily_budget: budget } = settings;
  const errors: FieldErrors = {};
  const refuse = (key: string, problem: string | null): void => {
    if (problem) errors[`widget_settings.${key}`] = [fieldMessage(key, problem)];
  };
  refuse('enabled', typeof enabled === 'boolean' ? null : 'must be true or false');
  refuse('allowed_origins', originsProblem(origins));
  refuse('visitor_variables', variablesProblem(settings['visitor_variables']));
  refuse(
    'show_tool_results',
    shows === undefined || typeof shows === 'boolean' ? null : 'must be true or false',
  );
  refuse(
    'daily_budget',
    budget == null || isBudget(budget) ? null : `must be a number from 0 to ${MAX_BUDGET}`,
  );
  return errors;
}

function originsProblem(origins: unknown): string | null {
  if (!Array.isArray(origins)) return 'must be an array';
  if (origins.length > MAX_ORIGINS) return `must not have more than ${MAX_ORIGINS} items`;
  return origins.every((origin) => originOf(origin) !== null)
    ? null
    : 'must be a list of origins such as https://example.com';
}

function variablesProblem(names: unknown): string | null {
  if (names === undefined || names === null) return null;
  if (!Array.isArray(names)) return 'must be an array';
  if (names.length > MAX_VARIABLES) return `must not have more than ${MAX_VARIABLES} items`;
  const isName = (name: unknown): boolean =>
    typeof name === 'string' && name !== '' && name.length <= MAX_VARIABLE_LENGTH && name !== '__proto__';
  return names.every(isName) ? null : 'must be a list of names of variables';
}

const isBudget = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_BUDGET;

/** As browsers write it: scheme and host in lower case, without the scheme's own port. */
function originOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ORIGIN_LENGTH || !ORIGIN.test(value)) return null;
  return URL.canParse(value) ? new URL(value).origin : null;
}
