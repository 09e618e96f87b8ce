import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Icon } from './icons.tsx'

/** Whether the lists are open on a narrow screen, where they lie over the main part. */
export const drawer = signal(false)
/** Whether the member list is shown beside a channel. */
export const membersShown = signal(window.innerWidth > 1100)

/** The same beside a call, which needs the room. */
export const membersBesideCall = signal(false)

/** Whether the list of threads is shown beside a channel. */
export const threadsShown = signal(false)

/** The main part of the page; sets the document's title. */
export const Pane = ({
  title,
  head,
  children,
}: {
  title: string
  head?: ComponentChildren
  children: ComponentChildren
}) => {
  useEffect(() => {
    document.title = title ? `${title} · Parley` : 'Parley'
  }, [title])
  return (
    <main id="main" tabIndex={-1}>
      {head ?? (
        <header class="bar">
          <MenuButton />
          <h1>{title}</h1>
        </header>
      )}
      {children}
    </main>
  )
}

export const MenuButton = () => (
  <button
    type="button"
    class="bare narrow"
    aria-label={words.menu}
    aria-expanded={drawer.value}
    onClick={() => (drawer.value = !drawer.value)}
  >
    <Icon name="menu" size={22} />
  </button>
)
