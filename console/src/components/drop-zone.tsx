import { Paper, type PaperProps } from '@mantine/core';
import { useState, type DragEvent, type ReactNode } from 'react';

interface DropZoneProps extends PaperProps {
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped on it. Its children have a button that does the same. */
export function DropZone({ onFiles, children, ...paper }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <Paper
      withBorder
      {...paper}
      style={{
        borderStyle: 'dashed',
        ...(isOver && { borderColor: 'var(--mantine-primary-color-filled)' }),
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </Paper>
  );
}
