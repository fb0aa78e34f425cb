import {
  Alert,
  Badge,
  createTheme,
  Input,
  Modal,
  NavLink,
  Notification,
  Table,
  Tooltip,
  type CSSVariablesResolver,
} from '@mantine/core';
import { t } from '#console/texts';

/** Of dialogs: the page behind one keeps its width, see `scrollbar-gutter`. */
export const KEEPS_SCROLLBAR = { removeScrollBar: false };

export const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'indigo',
  // White text on the lighter shades is too faint for WCAG AA.
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem' },
      h2: { fontSize: '1.125rem' },
      h3: { fontSize: '1rem' },
      h4: { fontSize: '0.875rem' },
    },
  },
  cursorType: 'pointer',
  components: {
    Alert: Alert.extend({ defaultProps: { variant: 'light', c: 'var(--mantine-color-text)' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 500 } }),
    InputWrapper: Input.Wrapper.extend({ defaultProps: { labelProps: { fw: 500 } } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        removeScrollProps: KEEPS_SCROLLBAR,
        closeButtonProps: { 'aria-label': t.close },
        // The page has a banner of its own.
        attributes: { header: { role: 'presentation' } },
      },
    }),
    // The hover of the current page is as its rest: its own shade is too dark behind the text for WCAG AA.
    NavLink: NavLink.extend({ vars: () => ({ root: { '--nl-hover': 'var(--nl-bg)' }, children: {} }) }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': t.close } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    }),
    Table: Table.extend({ defaultProps: { fz: 'sm', verticalSpacing: 8, horizontalSpacing: 'xs' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Dimmed texts and placeholders of Mantine's greys are too faint for WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--console-line': 'var(--mantine-color-gray-2)',
    '--console-hover': 'var(--mantine-color-gray-0)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--console-line': 'var(--mantine-color-dark-5)',
    '--console-hover': 'var(--mantine-color-dark-6)',
  },
});
