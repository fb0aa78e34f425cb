import { Textarea, type TextareaProps } from '@mantine/core';
import { placeholdersOf } from '../../../../../src/modules/assistants/fill-template.js';
import classes from './prompt-field.module.css';

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
  let end = 0;
  const parts = placeholdersOf(text, variables).map(({ text: whole, index }) => {
    const before = text.slice(end, index);
    end = index + whole.length;
    return (
      <span key={index}>
        {before}
        <mark>{whole}</mark>
      </span>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
