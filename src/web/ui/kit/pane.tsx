import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { isUnreadElsewhere } from '../../state/notifications.ts'
import { route, serverHere } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { onBack } from './back.ts'
import { Icon } from './icons.tsx'

/** True if the lists are open on a narrow screen, where they cover the main part. */
export const drawer = signal(false)
const narrow = matchMedia('(max-width: 639.98px)')
/** True on a page as narrow as a phone: there the lists fill it, above tabs that src/web/ui/shell/phone.tsx draws. */
export const onPhone = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => (onPhone.value = matches))
const small = matchMedia(
  '(max-width: 639.98px), (pointer: coarse) and (max-width: 959.98px) and (max-height: 479.98px)',
)
/** True on a phone, also when it is held sideways: the account's call fills its screen. */
export const onSmallScreen = signal(small.matches)
small.addEventListener('change', ({ matches }) => (onSmallScreen.value = matches))
export type PhoneTab = 'home' | 'server' | 'inbox' | 'you'
/** The tab that was chosen on a phone; undefined for that of the page. */
export const phoneTab = signal<PhoneTab | undefined>(undefined)
/** The server that was chosen on a phone to list its channels, which leaves the page as it is. */
export const chosenServer = signal<number | undefined>(undefined)
/** The server whose channels are listed; undefined for the conversations. */
export const listedServer = computed(() =>
  phoneTab.value === 'home' ? undefined : (chosenServer.value ?? serverHere.value),
)
const roomy = matchMedia('(min-width: 1101px)')
/** True if the member list is shown next to a channel. */
export const membersShown = signal(roomy.matches)
// Zooming in makes an open window narrow: the list would cover the messages.
roomy.addEventListener('change', ({ matches }) => (membersShown.value = matches))

/** The same next to a call. Closed at first, because the call needs the space. */
export const membersBesideCall = signal(false)

/** True if the list of threads is shown next to a channel. */
export const threadsShown = signal(false)

/** Lets Back close a panel on a phone, where it covers the page. */
export const useBack = (close: () => void): void =>
  useLayoutEffect(() => (onPhone.value ? onBack(close) : undefined), [onPhone.value])

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

/** Opens the lists on a narrow screen; a dot says that something in them is unread. */
export const MenuButton = () => {
  follow('shell')
  const isUnread = isUnreadElsewhere(state, 'channel_id' in route.value ? route.value.channel_id : undefined)
  return (
    <button
      type="button"
      class={`bare narrow menu-button ${isUnread ? 'unread' : ''}`}
      aria-label={isUnread ? words.menuUnread : words.menu}
      aria-expanded={drawer.value}
      onClick={() => (drawer.value = !drawer.value)}
    >
      <Icon name={onPhone.value ? 'previous' : 'menu'} size={22} />
    </button>
  )
}
