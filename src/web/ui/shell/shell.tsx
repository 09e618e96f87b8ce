import { hasNewRules } from '../../state/arrival.ts'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { ApiError } from '../../client/rest.ts'
import { connection, follow, loader, lostServer, state } from '../../state/session.ts'
import { channelPath, go, route } from '../../state/route.ts'
import '../../state/recents.ts'
import { isComposingKey } from '../../state/keyboard.ts'
import { isServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { ChannelView } from './channel-view.tsx'
import { PlacePage } from './conversation-view.tsx'
import { closeDialogs, Dialogs } from '../kit/dialogs.tsx'
import { Later } from '../kit/later.tsx'
import { closeMenu, Menu } from '../kit/menu.tsx'
import { drawer, onPhone, Pane } from '../kit/pane.tsx'
import { isSearching, Search } from '../search/open-search.tsx'
import { ServerList } from './server-list.tsx'
import { keepPlace, landingOf, reopenPlace } from './last-place.ts'
import { Sidebar } from './sidebar.tsx'
import { VoicePanel } from '../voice/voice-panel.tsx'
import { onDevice } from '../../state/stored.ts'

const EARLY_MAX = 9
/** Shortcuts that are pressed before the code that hears them has loaded. */
const early: KeyboardEvent[] = []

const device = async () => {
  const { start } = await import('../../device/start.ts')
  start(early)
  return () => null
}

/** The page of a logged-in account: the server list, the sidebar, and the main part. */
export const Shell = () => {
  follow('shell', 'voices')
  const here = route.value
  // Before the new page is painted: dialogs that open later belong to it.
  useLayoutEffect(() => {
    drawer.value = false
    return () => (closeMenu(), closeDialogs())
  }, [JSON.stringify(here)])
  useLayoutEffect(reopenPlace, [])
  useEffect(() => keepPlace(location.pathname), [JSON.stringify(here)])
  useLayoutEffect(() => {
    document.onkeydown = (event) => {
      const isChord = event.ctrlKey || event.metaKey || event.altKey
      if (!isChord || isComposingKey(event) || event.defaultPrevented || early.length > EARLY_MAX) return
      early.push(event)
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) event.preventDefault()
    }
  }, [])
  useEffect(() => {
    // Loaded when the first call rings.
    if (state.ringing.size > 0) void import('../voice/incoming-calls.tsx').then(({ openIncoming }) => openIncoming())
  })
  useEffect(() => chooseChannel())
  useEffect(() => {
    const loss = lostServer.value
    if (loss) void import('./lost-server.ts').then(({ tellLost }) => tellLost(loss))
    lostServer.value = undefined
  }, [lostServer.value])
  return (
    <div class={`shell ${drawer.value ? 'open' : ''} ${isSearching.value ? 'searching' : ''}`}>
      <a class="skip" href="#main" onClick={() => document.getElementById('main')?.focus()}>
        {words.skip}
      </a>
      <div class="lists">
        <ServerList />
        <Sidebar />
      </div>
      {drawer.value ? <div class="veil" onClick={() => (drawer.value = false)} /> : null}
      <div class="content" inert={onPhone.value && drawer.value}>
        <ConnectionStatus />
        {state.viewedAs ? <Later load={viewedAs} silent /> : null}
        <NewRules />
        <div class="narrow-only">
          <VoicePanel />
        </div>
        <Main />
      </div>
      <Search />
      {onPhone.value ? <Later load={phone} silent /> : null}
      <Dialogs />
      <Menu />
      <Later load={device} silent />
    </div>
  )
}

/** Channel ids of addresses that are being fetched because the state lacks them, and ids that do not exist. */
const asking = new Set<number>()
const refusedIds = new Set<number>()

/** Without a channel in the address, opens the server's last visited one, or its first text channel. */
function chooseChannel(): void {
  const here = route.value
  if (here.page !== 'server' || !state.isSynced) return
  // The sidebar opens a server that is only listed.
  if (state.listed.has(here.server_id)) return
  if (!state.servers.has(here.server_id)) return go('/app', true)
  const channel = here.channel_id === undefined ? undefined : state.channels.get(here.channel_id)
  const canOpen = channel !== undefined && channel.type !== 'category'
  const storedId = channel?.type === 'thread' ? channel.parent_id : here.channel_id
  if (canOpen) return onDevice.setItem(`parley.last.${here.server_id}`, String(storedId))
  // Archived and unfollowed threads are unknown until they are fetched.
  const { channel_id } = here
  if (channel_id !== undefined && !channel && !refusedIds.has(channel_id)) {
    if (asking.has(channel_id)) return
    asking.add(channel_id)
    const land = (error: unknown) => {
      // The next drawing asks again.
      if (error instanceof ApiError && error.code === 'offline') return
      refusedIds.add(channel_id)
      chooseChannel()
    }
    void loader
      .enter(channel_id)
      .catch(land)
      .finally(() => asking.delete(channel_id))
    return
  }
  const first = landingOf(here.server_id)
  if (first || here.channel_id !== undefined) go(channelPath(here.server_id, first?.id), true)
}

const phone = async () => {
  const { Phone } = await import('./phone.tsx')
  return () => <Phone />
}

const direct = async (userId: number) => {
  const { DirectPage } = await import('./direct-page.tsx')
  return () => <DirectPage user_id={userId} />
}

const friends = async () => {
  const { Friends } = await import('../people/friends.tsx')
  return () => <Friends />
}

const noChannels = async (serverId: number) => {
  const { NoChannels } = await import('./no-channels.tsx')
  return () => <NoChannels server_id={serverId} />
}

const Main = () => {
  follow('shell')
  const here = route.value
  if (here.page === 'direct') return <Later page key={here.user_id} load={() => direct(here.user_id)} />
  if (here.page === 'place') return <PlacePage key={here.channel_id} {...here} />
  if (here.page !== 'server') return <Later page load={friends} />
  const channel = here.channel_id === undefined ? undefined : state.channels.get(here.channel_id)
  const thread = channel?.type === 'thread' && isServerChannel(channel) ? channel : undefined
  const shownChannel = thread ? state.channels.get(thread.parent_id ?? 0) : channel
  if (shownChannel && isServerChannel(shownChannel) && shownChannel.type !== 'category')
    // The key is the server's: the list of members stays as it is when the channel changes.
    return <ChannelView key={shownChannel.server_id} channel={shownChannel} thread={thread} />
  return (
    <Pane title={(state.servers.get(here.server_id) ?? state.listed.get(here.server_id))?.name ?? ''}>
      {state.isSynced && here.channel_id === undefined && !state.listed.has(here.server_id) ? (
        <Later key={here.server_id} load={() => noChannels(here.server_id)} />
      ) : (
        <p class="empty loading">{words.loading}</p>
      )}
    </Pane>
  )
}

const arrivalBar = async (serverId: number) => {
  const { ArrivalBar } = await import('../arrival/arrival-bar.tsx')
  return () => <ArrivalBar server_id={serverId} />
}

/** Shows the rules of a server to a member who has not accepted them. */
const NewRules = () => {
  follow('shell', 'members')
  const here = route.value
  if (here.page !== 'server' || !hasNewRules(state, here.server_id)) return null
  return <Later key={here.server_id} load={() => arrivalBar(here.server_id)} silent />
}

const viewedAs = async () => {
  const { ViewedAs } = await import('../server/viewed-as.tsx')
  return () => <ViewedAs />
}

/** Shows that the connection is lost or has ended. */
const ConnectionStatus = () => {
  follow('shell')
  const now = connection.value
  const isLost = now === 'waiting' || (now === 'connecting' && state.isSynced)
  return (
    <div class="connection" role="status">
      {isLost ? words.reconnecting : now === 'ended' ? words.ended : null}
    </div>
  )
}
