import type { Server } from '../../../features/access/model.ts'
import { allServers } from '../../state/listed-servers.ts'
import { withoutBidi } from '../../state/names.ts'
import { badgeOf, isUnreadAloud } from '../../state/notifications.ts'
import { account, follow, state } from '../../state/session.ts'
import { channelPath, go, leadsOn } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Badge, Picture } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { chosenServer, listedServer, onPhone } from '../kit/pane.tsx'
import { prefetching } from '../kit/prefetch.ts'
import { showNewServer } from '../server/show-server.tsx'
import { landingOf } from './last-place.ts'

/** Unread state and number of mentions of a server; `null` means the dms and groups. */
export function unreadOf(serverId: number | null): { unread: boolean; mentions: number } {
  const listed = state.listed.get(serverId ?? 0)
  if (listed) return { unread: listed.unread_count > 0, mentions: listed.mention_count }
  let [unread, mentions] = [false, 0]
  for (const channel of state.channels.values())
    if (channel.server_id === serverId) {
      unread ||= isUnreadAloud(state, channel)
      mentions += badgeOf(state, channel)
    }
  return { unread, mentions }
}

/** The same of the dms and groups, with the friend requests that wait for an answer. */
export function unreadOfHome(): { unread: boolean; mentions: number } {
  const { unread, mentions } = unreadOf(null)
  const waiting = [...state.relations.values()].filter((relation) => relation.state === 'pending_incoming').length
  return { unread, mentions: mentions + waiting }
}

/** The first column: conversations, the servers, and the button to add one. */
export const ServerList = () => {
  follow('shell')
  // Not the whole route: a switch of the channel changes nothing here.
  const here = listedServer.value
  const isConversations = here === undefined
  const { unread, mentions: count } = unreadOfHome()
  return (
    <nav class="server-list" aria-label={words.servers.list}>
      <a
        class={`tile conversations ${isConversations ? 'here' : ''} ${unread ? 'unread' : ''}`}
        href="/app"
        aria-label={words.named({ name: words.conversations, n: count, isAny: unread })}
        aria-current={isConversations && 'page'}
      >
        <Icon name="message" size={22} />
        <Badge count={count} isNamed />
      </a>
      <hr />
      <ul>
        {allServers(state).map((server) => (
          <li key={server.id}>
            <ServerTile server={server} isHere={here === server.id} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="tile add"
        aria-label={words.servers.add}
        title={words.servers.add}
        disabled={account.value !== 'logged_in'}
        onClick={() => void showNewServer()}
      >
        <Icon name="add" size={22} />
      </button>
    </nav>
  )
}

const ServerTile = ({ server, isHere }: { server: Pick<Server, 'id' | 'name' | 'icon_file_id'>; isHere: boolean }) => {
  const { unread, mentions } = unreadOf(server.id)
  const name = withoutBidi(server.name)
  // Go to the channel at once: otherwise the whole page would render without one first.
  const open = (event: MouseEvent) => {
    if (!leadsOn(event)) return
    event.preventDefault()
    if (onPhone.value) chosenServer.value = server.id
    else go(channelPath(server.id, landingOf(server.id)?.id))
  }
  return (
    <a
      class={`tile ${isHere ? 'here' : ''} ${unread ? 'unread' : ''}`}
      href={channelPath(server.id)}
      data-menu={`server ${server.id}`}
      {...prefetching(landingOf(server.id)?.id, server.id)}
      onClick={open}
      title={name}
      aria-label={words.named({ name, n: mentions, isAny: unread })}
      aria-current={isHere && 'page'}
    >
      <Picture id={server.id} name={name} file_id={server.icon_file_id} size={44} />
      <Badge count={mentions} isNamed />
    </a>
  )
}
