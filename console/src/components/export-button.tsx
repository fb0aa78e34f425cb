import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { download } from '#console/api/download';
import { stringifySearch } from '#console/app/list-search';
import { notifyDone, notifyFailed } from './notify';

interface ExportButtonProps {
  /** Below the API. */
  path: string;
  filters: Record<string, unknown>;
  /** Of the saved file. */
  name: string;
  texts: { export: string; exported: string; exportFailed: string };
  /** Of the button, where others say the same. */
  label?: string;
}

/** Saves what a list shows as a file. */
export function ExportButton({ path, filters, name, texts, label }: ExportButtonProps) {
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      await download(`${path}${stringifySearch(filters)}`, name);
      notifyDone(texts.exported);
    } catch (error) {
      notifyFailed(texts.exportFailed, error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Download size={14} />}
      loading={isRunning}
      aria-label={label}
      onClick={run}
    >
      {texts.export}
    </Button>
  );
}
