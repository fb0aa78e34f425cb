/** What the system fills in; everything else in single braces is a variable of the call. */
export interface SystemValues {
  customer_phone: string;
  assistant_phone: string;
  assistant_name: string;
  current_date: string;
  current_time: string;
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\{\s*([\w.-]+)\s*\}/g;

/**
 * Fills `{name}` from the call's variables and `{{customer_phone}}` and its like from the system; one without
 * a value becomes the empty text. Values are put in as they are and never read as templates again.
 */
export function fillTemplate(
  template: string,
  variables: Record<string, unknown>,
  system: SystemValues,
): string {
  return template.replace(PLACEHOLDER, (_, systemName?: string, name?: string) => {
    if (systemName !== undefined) return own(system, systemName);
    return name === undefined ? '' : own(variables, name);
  });
}

function own(values: object, name: string): string {
  const value: unknown = Object.hasOwn(values, name) ? values[name as keyof typeof values] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Date and time as they are said, in the assistant's zone. */
export function localNow(timezone: string, now: Date): Pick<SystemValues, 'current_date' | 'current_time'> {
  const parts = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...options }).format(now);
  return {
    current_date: parts({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    current_time: parts({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}
