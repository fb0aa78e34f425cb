import './app/mantine-styles';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onWait } from './api/patient-fetch';
import { queryClient } from './api/query-client';
import { router } from './app/router';
import { cssVariables, theme } from './app/theme';
import { t } from './texts';

onWait((seconds) =>
  notifications.show({ id: 'busy', message: t.busy(seconds), color: 'yellow', autoClose: seconds * 1000 }),
);

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
