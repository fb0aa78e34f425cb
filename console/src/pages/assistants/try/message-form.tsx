import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '#console/texts';

const texts = t.assistants.try.write;
const MOST_CHARACTERS = 2000;

export function MessageForm({
  onSend,
  isBusy = false,
}: {
  onSend: (text: string) => void;
  isBusy?: boolean;
}) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' || isBusy) return;
        setText('');
        onSend(text.trim());
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label={texts.message}
          placeholder={texts.message}
          autoComplete="off"
          maxLength={MOST_CHARACTERS}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" loading={isBusy}>
          {texts.send}
        </Button>
      </Group>
    </form>
  );
}
