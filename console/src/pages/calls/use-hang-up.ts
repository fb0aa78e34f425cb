import { useState } from 'react';
import { api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { t } from '#console/texts';

/** Ends a running call, when the user is sure. */
export function useHangUp(): { run: (callId: number) => Promise<void>; isRunning: boolean } {
  const [isRunning, setRunning] = useState(false);
  const run = async (id: number): Promise<void> => {
    if (!(await confirm({ ...t.call.hangUpQuestion, isDangerous: true }))) return;
    setRunning(true);
    try {
      await api.POST('/user/calls/{id}/end', { params: { path: { id } } });
      notifyDone(t.call.hungUp);
    } catch (error) {
      notifyFailed(t.call.hangUpFailed, error);
    } finally {
      setRunning(false);
    }
  };
  return { run, isRunning };
}
