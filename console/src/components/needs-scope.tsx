import { Tooltip } from '@mantine/core';
import { useId, type ReactElement, type SyntheticEvent } from 'react';
import { useSession, type Scope } from '#console/session/session';
import { t } from '#console/texts';

/** Props of a button, given after its own. Empty where the key has the scope. */
export interface Refusal {
  disabled?: false;
  'data-disabled'?: true;
  'aria-disabled'?: true;
  'aria-describedby'?: string;
  onClick?: (event: SyntheticEvent) => void;
}

/**
 * A button that the key may not use says why: on hover, focus and touch, and to screen readers. It only looks disabled:
 * one that is could be reached by none of them. Its click does nothing, which also refuses Enter in a field of its form.
 */
export function NeedsScope({
  scope,
  children,
}: {
  scope: Scope;
  children: (refusal: Refusal) => ReactElement;
}) {
  const { can } = useSession();
  const id = useId();
  if (can(scope)) return children({});
  const reason = t.needsScope(scope);
  return (
    <Tooltip label={reason} multiline maw={300}>
      <span>
        {children({
          disabled: false,
          'data-disabled': true,
          'aria-disabled': true,
          'aria-describedby': id,
          onClick: (event) => event.preventDefault(),
        })}
        {/* The description of a button is read out of hidden text, too. */}
        <span id={id} hidden>
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}
