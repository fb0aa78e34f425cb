import { Box, Code } from '@mantine/core';
import { CopyIcon } from './copy-icon';

/** JSON, or a text as it is. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? pretty(value) : (JSON.stringify(value, null, 2) ?? '');
  return (
    <Box pos="relative">
      <Code
        block
        mah={360}
        tabIndex={0}
        aria-label={label}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
      >
        {text}
      </Code>
      <Box pos="absolute" top={4} right={4}>
        <CopyIcon value={text} />
      </Box>
    </Box>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
