import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSession, type Scope } from '#console/session/session';
import { t } from '#console/texts';

/** A button that the key may not use says why. */
export function NeedsScope({
  scope,
  children,
}: {
  scope: Scope;
  children: (isForbidden: boolean) => ReactElement;
}) {
  const { can } = useSession();
  if (can(scope)) return children(false);
  return (
    <Tooltip label={t.needsScope(scope)}>
      <span>{children(true)}</span>
    </Tooltip>
  );
}
