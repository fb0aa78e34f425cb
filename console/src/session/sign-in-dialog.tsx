import { Modal } from '@mantine/core';
import { t } from '#console/texts';
import { keyStore } from './key-store';
import { SignInForm } from './sign-in';

/** Over the page: what was typed stays. */
export function SignInDialog() {
  return (
    <Modal
      opened
      onClose={() => keyStore.signOut()}
      title={t.signIn.title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={1000}
    >
      <SignInForm reason={t.signIn.refused} />
    </Modal>
  );
}
