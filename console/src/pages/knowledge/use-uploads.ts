import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isStatus } from '#console/api/api-error';
import { randomId } from '#console/api/patient-fetch';
import { queryClient } from '#console/api/query-client';
import { upload } from '#console/api/upload';
import { confirm } from '#console/components/confirm';
import { t } from '#console/texts';
import type { KnowledgeDocument } from './knowledge-words';

const texts = t.knowledge.uploads;
const LONGEST_NAME = 255;

export interface FileUpload {
  /** With the same one a repeated upload is stored once. */
  key: string;
  file: File;
  /** Share that is sent, 0 to 1; null: it waits, or has failed. */
  sent: number | null;
  error: unknown;
  /** No second try would succeed. */
  isFinal: boolean;
}

const TYPES: Record<string, KnowledgeDocument['type']> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  md: 'txt',
};

/** For the dialog that chooses files. */
export const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(',');

const typeOf = ({ name }: File): KnowledgeDocument['type'] | undefined =>
  TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''];

const nameOf = ({ name }: File): string => name.replace(/\.[^.]+$/, '').slice(0, LONGEST_NAME) || name;

const begun = (file: File): FileUpload => {
  const isKnown = typeOf(file) !== undefined;
  const error = isKnown ? null : new Error(texts.wrongType);
  return { key: randomId(), file, sent: null, error, isFinal: !isKnown };
};

/** Sends files to a base, one after the other. What is stored leaves the list; what has failed stays in it. */
export function useUploads(baseId: number) {
  const [uploads, setUploads] = useState<FileUpload[]>([]);
  const queue = useRef(Promise.resolve());
  const page = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    page.current = controller;
    return () => controller.abort();
  }, []);
  const isSending = uploads.some(({ error }) => error === null);
  useBlocker({
    // Another tab of the same page goes on sending.
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname &&
      isSending &&
      !(await confirm({ ...texts.leave, isDangerous: true })),
    enableBeforeUnload: isSending,
  });

  const change = (key: string, changes: Partial<FileUpload>): void =>
    setUploads((now) => now.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  const remove = (key: string): void => setUploads((now) => now.filter((each) => each.key !== key));
  const send = async ({ key, file }: FileUpload): Promise<void> => {
    const signal = page.current?.signal;
    if (!signal || signal.aborted) return;
    const form = new FormData();
    form.set('name', nameOf(file));
    form.set('type', typeOf(file) ?? '');
    form.set('file', file, file.name);
    try {
      const path = `/user/knowledgebases/${baseId}/documents`;
      await upload({ path, form, key, signal, onSent: (sent) => change(key, { sent }) });
      await queryClient.invalidateQueries();
      remove(key);
    } catch (error) {
      if (!signal.aborted) change(key, { sent: null, error });
    }
  };
  const enqueue = (next: FileUpload): void => void (queue.current = queue.current.then(() => send(next)));

  const add = (files: File[]): void => {
    const added = files.map(begun);
    setUploads((now) => [...now, ...added]);
    for (const each of added) if (!each.isFinal) enqueue(each);
  };
  const retry = (former: FileUpload): void => {
    // Where the service has answered, the same key would get the same answer.
    const key = isStatus(former.error, 0) ? former.key : randomId();
    const again = { ...former, key, error: null };
    setUploads((now) => now.map((each) => (each.key === former.key ? again : each)));
    enqueue(again);
  };
  return { uploads, add, retry, remove };
}
