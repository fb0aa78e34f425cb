import {
  Anchor,
  Button,
  NavLink,
  type AnchorProps,
  type ButtonProps,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

/** Mantine's components as typed links of the router. */

type Own<P> = P & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> };

export const LinkAnchor = createLink((props: Own<AnchorProps>) => <Anchor {...props} />);
export const LinkButton = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />);
export const LinkNav = createLink((props: Own<NavLinkProps>) => <NavLink component="a" {...props} />);
