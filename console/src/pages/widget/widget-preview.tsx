import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { stringsFor } from '../../../../widget/strings.js';
import { View } from '../../../../widget/view.js';
import { Widget } from '../../../../widget/widget.js';
import { AUDIO_SCRIPT } from '#console/pages/assistants/try/audio-script';
import { beginWebCall } from '#console/pages/assistants/try/begin-web-call';
import { notifyFailed } from '#console/components/notify';
import { t } from '#console/texts';

const TYPING_MS = 300;
const HEIGHT_PX = 620;

interface WidgetPreviewProps {
  assistantId: number;
  /** ISO 639-1. */
  language: string;
  /** As they are typed; what is empty is left out. */
  settings: Record<string, string>;
}

/** The widget itself, open, in a box that stands for a web page. */
export function WidgetPreview({ assistantId, language, settings }: WidgetPreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown] = useDebouncedValue(JSON.stringify(settings), TYPING_MS);
  useEffect(() => {
    const host = document.createElement('div');
    host.lang = language;
    box.current?.append(host);
    const strings = stringsFor(language);
    const talk = new Widget(
      (listener) => new View(host, JSON.parse(shown) as Record<string, string>, strings, listener),
      {
        script: AUDIO_SCRIPT,
        strings,
        line: 'audio',
        begin: () =>
          beginWebCall(assistantId, {}, (problem) => notifyFailed(t.errors.title, new Error(problem))),
      },
    );
    const panel = host.shadowRoot?.querySelector<HTMLElement>('.panel');
    if (panel) panel.hidden = false;
    host.shadowRoot?.querySelector('.launcher')?.setAttribute('aria-expanded', 'true');
    return () => {
      talk.end();
      host.remove();
    };
  }, [assistantId, language, shown]);
  return (
    <Box
      ref={box}
      h={HEIGHT_PX}
      p="md"
      style={{
        // What is fixed in it stays in it.
        transform: 'translateZ(0)',
        overflow: 'hidden',
        border: '1px solid var(--console-line)',
        borderRadius: 'var(--mantine-radius-sm)',
      }}
    >
      <Text size="sm" c="dimmed">
        {t.widget.preview.page}
      </Text>
    </Box>
  );
}
