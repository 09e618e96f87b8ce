import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel, Server } from '../../../features/access/model.ts'
import { conversationsOf } from '../../state/channel-walk.ts'
import { displayNameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { badgeOf, isUnreadAloud } from '../../state/notifications.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { go, placePath, route } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { afterFrame } from '../kit/after-frame.ts'
import { Avatar, Badge, DraftSign, GroupPicture, IconButton, sayingOf } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { drawer, listedServer } from '../kit/pane.tsx'
import { showNewConversation, showRequests, showStatus } from '../people/show-people.tsx'
import { voicesIn } from '../../voice/shown-call.ts'
import { InboxButton } from '../notifications/buttons.tsx'
import { VoicePanel } from '../voice/voice-panel.tsx'
import { ChannelNavigation } from './channel-navigation.tsx'
import { isMac } from './keys.ts'
import { prefetching } from '../kit/prefetch.ts'
import { showSwitcher } from './show-switcher.tsx'
import { showUserSettings } from '../settings/show-settings.tsx'

/** The server whose channels are listed, a frame later than on the page, so that its messages are drawn apart. */
function useListed(): Server | undefined {
  const here = listedServer.value
  const [listedId, setListedId] = useState(here)
  useLayoutEffect(() => {
    if (listedId !== here) return afterFrame(() => setListedId(here))
    return undefined
  }, [here, listedId])
  // One that was left is not listed any longer.
  return state.servers.get(listedId ?? 0) ?? state.servers.get(here ?? 0)
}

/** The second column: a server's channels or the conversations, the current call, and the account. */
export const Sidebar = () => {
  follow('shell')
  const server = useListed()
  // Its channels are on their way.
  const entry = state.listed.get(listedServer.value ?? 0)
  useEffect(() => void loader.openServer(entry?.id ?? null), [entry?.id])
  return (
    <div
      class="sidebar"
      // A link to the page below closes the lists as well.
      onClick={({ target }) => target instanceof Element && target.closest('a') && (drawer.value = false)}
    >
      {entry ? null : server ? <Channels server={server} /> : <Conversations />}
      <VoicePanel />
      <OwnAccount />
    </div>
  )
}

const Channels = ({ server }: { server: Server }) => (
  <>
    <header class="bar">
      <h2>
        <ServerName server={server} />
      </h2>
    </header>
    <Find />
    <ChannelNavigation server_id={server.id} />
  </>
)

/** Name of a server, which opens a menu: invite, settings, leave. */
const ServerName = ({ server }: { server: Server }) => {
  const button = useRef<HTMLButtonElement>(null)
  const name = withoutBidi(server.name)
  const open = async () => {
    const { showMenuOf } = await import('../menus/entries.ts')
    if (!button.current) return
    const { left, right, bottom } = button.current.getBoundingClientRect()
    // It begins where the name does.
    const isToRight = getComputedStyle(button.current).direction === 'ltr'
    showMenuOf(button.current, { x: isToRight ? left : right, y: bottom })
  }
  return (
    <button
      ref={button}
      type="button"
      class="bare server-name"
      data-menu={`server ${server.id}`}
      aria-haspopup="menu"
      title={name}
      onClick={() => void open().catch(() => showNote(words.notLoaded))}
    >
      <bdi>{name}</bdi>
      <Icon name="chevron" size={16} />
    </button>
  )
}

/** Opens the quick switcher. */
const Find = () => (
  <button type="button" class="find" aria-keyshortcuts="Control+K" onClick={() => void showSwitcher()}>
    <Icon name="search" size={15} />
    <span>{words.switcher.title}</span>
    <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
  </button>
)

const Conversations = () => {
  follow('shell', 'members')
  const here = route.value
  const waiting = [...state.relations.values()].filter((relation) => relation.state === 'pending_incoming').length
  const conversations = conversationsOf(state)
  return (
    <>
      <header class="bar">
        <h2>{words.conversations}</h2>
        <IconButton icon="add" label={words.groups.new} onClick={() => void showNewConversation()} />
      </header>
      <Find />
      <nav aria-label={words.direct.list} class="scroll">
        <ul>
          <li class={`row ${here.page === 'friends' ? 'here' : ''}`}>
            <a href="/app" aria-current={here.page === 'friends' && 'page'}>
              <Icon name="friends" />
              {words.friends.title}
              <Badge count={waiting} />
            </a>
          </li>
        </ul>
        <h3>{words.direct.list}</h3>
        <ul>
          <Requests />
          {conversations.map((channel) => (
            <ConversationLink key={channel.id} channel={channel} />
          ))}
        </ul>
        {conversations.length === 0 ? (
          <div class="quiet pad none">
            <p>{words.direct.none}</p>
            <button type="button" onClick={() => void showNewConversation()}>
              {words.direct.begin}
            </button>
          </div>
        ) : null}
      </nav>
    </>
  )
}

/** Leads to message requests, if there are any; they count as nothing unread. */
const Requests = () => {
  follow('shell')
  const requests = [...state.conversations.values()].filter(({ request }) => request)
  const waiting = requests.filter(({ request }) => request === 'waiting').length
  if (requests.length === 0) return null
  return (
    <li class="row">
      <button type="button" class="bare" onClick={() => void showRequests()}>
        <Icon name="message" />
        {words.direct.requests(waiting)}
      </button>
    </li>
  )
}

const ConversationLink = ({ channel }: { channel: Channel }) => {
  follow('shell', 'members', 'voices')
  const here = route.value
  const isHere = here.page === 'place' && here.channel_id === channel.id
  const partner = state.partnerOf(channel)
  const count = badgeOf(state, channel)
  const unread = isUnreadAloud(state, channel)
  const name = titleOf(channel)
  const hide = (user_id: number) => {
    if (isHere) go('/app')
    void call('DELETE /api/dm/:user_id/hide', { user_id })
  }
  return (
    <li class={`row ${isHere ? 'here' : ''} ${unread ? 'unread' : ''}`}>
      <a
        href={placePath(channel.id)}
        data-menu={`channel ${channel.id}`}
        {...prefetching(channel.id)}
        aria-current={isHere && 'page'}
        // Else the name, the status and the count in it name the link.
        aria-label={
          partner === undefined && unread && count === 0 ? words.named({ name, n: 0, isAny: true }) : undefined
        }
      >
        {partner === undefined ? (
          <GroupPicture channel={channel} size={32} />
        ) : (
          <Avatar id={partner} size={32} status />
        )}
        <bdi>{name}</bdi>
        {isHere ? null : <DraftSign channel_id={channel.id} />}
        {voicesIn(channel.id).length > 0 ? (
          <span class="marks on" role="img" aria-label={words.voice.underway} title={words.voice.underway}>
            <Icon name="phone" size={16} />
          </span>
        ) : null}
        <Badge count={count} />
      </a>
      {partner === undefined ? null : (
        <IconButton
          icon="close"
          size={16}
          class="aside"
          label={words.direct.hide(name)}
          onClick={() => hide(partner)}
        />
      )}
    </li>
  )
}

const OwnAccount = () => {
  const saying = sayingOf(state.me())
  const own = words.status[state.ownStatus?.status ?? 'online']
  return (
    <footer class="me">
      <button
        type="button"
        class="bare own-status"
        title={own}
        aria-haspopup="dialog"
        onClick={() => void showStatus()}
      >
        <Avatar id={state.me()} size={32} status />
        <span>
          <strong>
            <bdi>{displayNameOf(state.me())}</bdi>
          </strong>
          <small>{saying ? <bdi>{saying}</bdi> : <bdi dir="ltr">@{state.user?.username}</bdi>}</small>
        </span>
      </button>
      <InboxButton />
      <IconButton icon="gear" label={words.settings.title} onClick={() => void showUserSettings()} />
    </footer>
  )
}
