import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection, follow, state } from '../../state/session.ts'
import { channelPath, go, route } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { ChannelView } from './channel-view.tsx'
import { DirectView } from './conversation-view.tsx'
import { Friends } from '../people/friends.tsx'
import { openDialog } from '../kit/dialogs.tsx'
import { Rail } from './server-list.tsx'
import { Sidebar } from './sidebar.tsx'
import { VoicePanel } from '../voice/voice-panel.tsx'
import { watchPresence } from '../messages/attention.ts'

/** On narrow screens the lists lie over the messages, when they are wanted. */
const drawer = signal(false)
/** Whether the members are shown beside a channel. */
export const membersShown = signal(window.innerWidth > 1100)

/** Three columns: servers and conversations; channels; messages with members. */
export const Shell = () => {
  follow('shell')
  const here = route.value
  useEffect(() => {
    drawer.value = false
  }, [JSON.stringify(here)])
  useEffect(watchPresence, [])
  useEffect(() => chooseChannel())
  return (
    <div class={`shell ${drawer.value ? 'open' : ''}`}>
      <a class="skip" href="#main" onClick={() => document.getElementById('main')?.focus()}>
        {words.skip}
      </a>
      <div class="lists">
        <Rail />
        <Sidebar />
      </div>
      {drawer.value ? <div class="veil" onClick={() => (drawer.value = false)} /> : null}
      <div class="stage">
        <Connection />
        <div class="narrow-only">
          <VoicePanel />
        </div>
        <Place />
      </div>
      {openDialog.value?.() ?? null}
    </div>
  )
}

/** A server without a channel in the address shows its first one. */
function chooseChannel(): void {
  const here = route.value
  if (here.page !== 'server' || !state.synced) return
  if (!state.servers.has(here.server_id)) return go('/app', true)
  const known = here.channel_id !== undefined && state.channels.has(here.channel_id)
  if (known) return localStorage.setItem(`parley.last.${here.server_id}`, String(here.channel_id))
  const texts = channelsOf(here.server_id).filter((channel) => channel.type === 'text')
  const last = Number(localStorage.getItem(`parley.last.${here.server_id}`))
  const first = texts.find((channel) => channel.id === last) ?? texts[0]
  if (first || here.channel_id !== undefined) go(channelPath(here.server_id, first?.id), true)
}

/** The channels of a server that one sees, in their order. */
export const channelsOf = (server_id: number) =>
  [...state.channels.values()]
    .filter((channel) => channel.server_id === server_id)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)

const Place = () => {
  follow('shell')
  const here = route.value
  if (here.page === 'direct') return <DirectView key={here.user_id} user_id={here.user_id} />
  if (here.page !== 'server') return <Friends />
  const channel = here.channel_id === undefined ? undefined : state.channels.get(here.channel_id)
  if (channel) return <ChannelView key={channel.id} channel={channel} />
  return (
    <Pane title={state.servers.get(here.server_id)?.name ?? ''}>
      <p class="empty">{state.synced ? words.channels.none : words.loading}</p>
    </Pane>
  )
}

/** The main part of the page with its heading. */
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
    <svg class="icon" width={22} height={22} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 7h16M4 12h16M4 17h16" />
    </svg>
  </button>
)

/** Says when the server is away, and that it is being looked for. */
const Connection = () => {
  follow('shell')
  const now = connection.value
  const lost = now === 'waiting' || (now === 'connecting' && state.synced)
  return (
    <div class="connection" role="status">
      {lost ? words.reconnecting : now === 'ended' ? words.ended : null}
    </div>
  )
}
