import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { randomId } from '#console/api/patient-fetch';
import { sendFile, type ImportReport, type ImportRequest } from './send-file';

type Content = Omit<ImportRequest, 'key' | 'signal' | 'onSent'>;

/** Sends a file. A failed import is repeated under its key: what was stored is not stored twice. */
export function useSending() {
  const client = useQueryClient();
  const [report, setReport] = useState<ImportReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<number | null>(null);
  const controller = useRef<AbortController>(null);
  const key = useRef<string>(null);
  const reset = (): void => {
    key.current = null;
    setReport(null);
    setError(null);
  };
  useEffect(() => () => controller.current?.abort(), []);

  /** @returns whether it was done */
  const send = async (content: Content): Promise<boolean> => {
    controller.current?.abort();
    const { signal } = (controller.current = new AbortController());
    if (content.isDryRun) reset();
    key.current ??= randomId();
    setError(null);
    setSent(0);
    try {
      setReport(await sendFile({ ...content, key: key.current, signal, onSent: setSent }));
      if (!content.isDryRun) await client.invalidateQueries();
      return true;
    } catch (problem) {
      if (!signal.aborted) setError(problem);
      return false;
    } finally {
      if (!signal.aborted) setSent(null);
    }
  };
  return { report, error, sent, isSending: sent !== null, send, reset };
}
