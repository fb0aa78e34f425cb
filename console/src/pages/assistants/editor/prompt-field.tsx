import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './prompt-field.module.css';
import { partsOf } from './template-parts';

interface PromptFieldProps extends TextareaProps {
  value: string;
  /** Of the assistant or a lead: a name with blanks counts as a variable where it is one of these. */
  variables: Record<string, unknown>;
}

/** A text with its variables marked: the same text lies below the input, and only its marks are seen. */
export function PromptField({ value, variables, ...props }: PromptFieldProps) {
  return (
    <Textarea
      autosize
      spellCheck
      classNames={{ input: classes.input }}
      inputContainer={(input) => (
        <div className={classes.container}>
          <div className={classes.below} aria-hidden>
            <Marked text={value} variables={variables} />
          </div>
          {input}
        </div>
      )}
      value={value}
      {...props}
    />
  );
}

function Marked({ text, variables }: { text: string; variables: Record<string, unknown> }) {
  const { parts, rest } = partsOf(text, variables);
  return (
    <>
      {parts.map(({ before, text: placeholder, index }) => (
        <span key={index}>
          {before}
          <mark>{placeholder}</mark>
        </span>
      ))}
      {rest}
    </>
  );
}
