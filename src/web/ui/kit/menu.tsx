import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { IconName } from './icons.tsx'

/** An entry of a menu. */
export interface MenuItem {
  /** Unique in the menu. */
  name: string
  icon: IconName
  label: string
  /** The key that does the same without the menu. */
  key?: string
  isDangerous?: boolean
  run: () => unknown
}

/** A place in the window, px. */
export interface Point {
  x: number
  y: number
}

export interface MenuOptions {
  label: string
  /** Anchor of the menu, focused again on close. */
  opener: HTMLElement
  /** Position of the click that opened the menu, instead of the anchor's. */
  at?: Point
  items: MenuItem[]
  /** Small entries in a row before the others, one character each. */
  quick?: { name: string; label: string; content: ComponentChildren; run: () => unknown }[]
}

/** The open menu; there is at most one. */
export const openMenu = signal<(MenuOptions & { draw: () => ComponentChildren }) | undefined>(undefined)

/** Closes the menu; its opener gets the focus. */
export function closeMenu(): void {
  const opener = openMenu.value?.opener
  openMenu.value = undefined
  if (opener?.isConnected) opener.focus({ preventScroll: true })
}

/** The open menu. open-menu.tsx, which comes with what opens a menu, draws it. */
export const Menu = () => <>{openMenu.value?.draw()}</>
