import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError, messageOf } from '#console/api/api-error';
import { t } from '#console/texts';
import { confirm } from './confirm';

interface ApiFormProps<V extends Record<string, unknown>> {
  /** What is stored, or what a new one begins with. */
  initialValues: V;
  /** @param changed the fields that differ from `initialValues` (all of a new one); throws `ApiError` */
  save: (changed: Partial<V>, all: V) => Promise<unknown>;
  /** Asked before it is sent, with what is stored; false: it is not sent. */
  ask?: (values: V, stored: V) => Promise<boolean>;
  /** A new one is sent whole. */
  isNew?: boolean;
  /** Fields by the names that the API's messages have for them, where those differ. */
  otherNames?: Record<string, string>;
  /** The verb of the button. */
  submit?: string;
  /** Why the key may not save; null: it may. */
  forbidden?: string | null;
  children: (form: UseFormReturnType<V>) => ReactNode;
  /**
   * Called when it is saved and the form may be left.
   *
   * @param former what was stored in the fields that changed
   */
  onSaved?: (result: unknown, former: Partial<V>) => void;
  /** Told whether something differs from `initialValues`. */
  onDirty?: (isDirty: boolean) => void;
}

/** Saving is in sight, however long the form is. */
const AT_THE_BOTTOM = {
  position: 'sticky',
  bottom: 0,
  zIndex: 2,
  background: 'var(--mantine-color-body)',
} as const;

/** Sends what changed, shows the API's messages at their fields, and asks before what was typed is left. */
export function ApiForm<V extends Record<string, unknown>>(props: ApiFormProps<V>) {
  const {
    initialValues,
    save,
    ask,
    isNew = false,
    otherNames = {},
    submit = t.form.save,
    forbidden = null,
    children,
    onSaved,
    onDirty,
  } = props;
  const form = useForm<V>({ initialValues });
  const [problem, setProblem] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const isChanged = form.isDirty();
  useEffect(() => onDirty?.(isChanged), [isChanged, onDirty]);
  useEffect(() => {
    // Once the fields show their messages.
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  useBlocker({
    // Another tab of the same page keeps what was typed.
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname &&
      form.isDirty() &&
      !(await confirm({ ...t.form.leave, isDangerous: true })),
    enableBeforeUnload: () => form.isDirty(),
  });

  const send = form.onSubmit(async (values) => {
    setSaving(true);
    setProblem(null);
    try {
      const stored = form.getInitialValues();
      if (ask && !(await ask(values, stored))) return;
      const changed = isNew ? values : changedFields(values, stored);
      const former = changedFields(stored, values);
      const result = await save(changed, values);
      form.setInitialValues(values);
      form.resetDirty(values);
      onSaved?.(result, former);
    } catch (error) {
      const errors = Object.entries(error instanceof ApiError ? error.errors : {}).map(
        ([name, texts]) => [otherNames[name] ?? name, texts.join(' ')] as const,
      );
      form.setErrors(Object.fromEntries(errors));
      const others = errors.filter(([field]) => !Object.hasOwn(initialValues, field.replace(/\..*/, '')));
      const words = others.length > 0 ? others.map(([, text]) => text).join(' ') : t.form.refused;
      setProblem(errors.length > 0 ? words : messageOf(error));
      setRefusals((former) => former + 1);
    } finally {
      setSaving(false);
    }
  });

  return (
    <form ref={element} onSubmit={send} noValidate>
      {children(form)}
      <Box mt="md" py="xs" style={AT_THE_BOTTOM}>
        {problem !== null && (
          <Alert color="red" role="alert" mb="xs">
            {problem}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isSaving} disabled={forbidden !== null || (!isNew && !isChanged)}>
            {submit}
          </Button>
          {!isNew && isChanged && (
            <Button variant="default" onClick={form.reset}>
              {t.form.discard}
            </Button>
          )}
          {forbidden !== null && (
            <Text size="sm" c="dimmed">
              {forbidden}
            </Text>
          )}
        </Group>
      </Box>
    </form>
  );
}

/** Compared as JSON: they are values of the API. */
export function changedFields<V extends Record<string, unknown>>(values: V, stored: V): Partial<V> {
  const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isEqual(value, stored[name])),
  ) as Partial<V>;
}
