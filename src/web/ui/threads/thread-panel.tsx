import { withoutBidi } from '../../state/names.ts'
import { channelPath, go, placePath } from '../../state/route.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { IconButton } from '../kit/controls.tsx'
import { askToConfirm, showDialog, showNote } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { type MenuItem, openMenu, showMenu } from '../kit/menu.tsx'
import { MenuButton } from '../kit/pane.tsx'
import { Composer } from '../messages/composer.tsx'
import { MessageList } from '../messages/message-list.tsx'
import { RenameThread } from './thread-dialogs.tsx'

type Change = { archived: boolean } | { locked: boolean }

/** Changes a thread; says why if it stays. */
const change = ({ id: channel_id }: ServerChannel, wanted: Change) =>
  call('PUT /api/channels/:channel_id', { channel_id }, wanted).then(
    (thread) => loader.replaceThread(thread),
    (error: Error) => showNote(error.message),
  )

const askDelete = (thread: ServerChannel) =>
  askToConfirm({
    title: words.threads.delete,
    text: words.threads.deleteText,
    action: words.threads.delete,
    work: async () => {
      await call('DELETE /api/channels/:channel_id', { channel_id: thread.id })
      go(channelPath(thread.server_id, thread.parent_id ?? undefined))
    },
  })

/** Whether the account changes the thread's name and archives it. */
const mayChange = (thread: ServerChannel): boolean =>
  state.mayIn(thread, 'manage_threads') ||
  (thread.owner_id === state.me() && !thread.locked && state.mayIn(thread, 'send_in_threads'))

/** Opens the menu of a thread. */
function showActions(thread: ServerChannel, opener: HTMLElement): void {
  const { id, archived_at, locked } = thread
  const says = words.threads
  const isArchived = archived_at !== null
  const rename: MenuItem = {
    name: 'rename',
    icon: 'edit',
    label: says.rename,
    run: () => showDialog(() => <RenameThread thread={thread} />),
  }
  const archive: MenuItem = {
    name: 'archive',
    icon: 'archive',
    label: isArchived ? says.bringBack : says.archive,
    run: () => change(thread, { archived: !isArchived }),
  }
  const lock: MenuItem = {
    name: 'lock',
    icon: 'lock',
    label: locked ? says.unlock : says.lock,
    run: () => change(thread, { locked: !locked }),
  }
  const link: MenuItem = {
    name: 'link',
    icon: 'link',
    label: says.link,
    run: () => copyText(location.origin + placePath(id), words.messages.linked),
  }
  const remove: MenuItem = {
    name: 'delete',
    icon: 'trash',
    label: says.delete,
    isDangerous: true,
    run: () => askDelete(thread),
  }
  const own = mayChange(thread)
  const managing = state.mayIn(thread, 'manage_threads') ? [lock] : []
  showMenu({ label: says.actions, opener, items: own ? [rename, archive, ...managing, link, remove] : [link] })
}

/** Begins or ends that the account follows a thread. */
const setFollowing = (channel_id: number, following: boolean) =>
  call(`${following ? 'PUT' : 'DELETE'} /api/channels/:channel_id/followers/@me`, { channel_id }).catch(
    (error: Error) => showNote(error.message),
  )

/** A thread beside its channel; on a phone it is the page. */
export const ThreadPanel = ({ thread }: { thread: ServerChannel }) => {
  follow('shell', 'members')
  const { id: channel_id, archived_at, locked } = thread
  const name = withoutBidi(thread.name)
  const place = { channel_id }
  const isFollowed = state.followed.has(channel_id)
  return (
    <aside class="side-panel" aria-label={words.threads.panel(name)}>
      <header class="bar">
        <MenuButton />
        <Icon name="thread" />
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <button
          type="button"
          class="following"
          aria-pressed={isFollowed}
          title={words.threads.followHint}
          onClick={() => void setFollowing(channel_id, !isFollowed)}
        >
          {isFollowed ? words.threads.unfollow : words.threads.follow}
        </button>
        <IconButton
          icon="more"
          label={words.threads.actions}
          menu={openMenu.value !== undefined}
          onClick={({ currentTarget }) => showActions(thread, currentTarget)}
        />
        <IconButton
          icon="close"
          label={words.threads.close}
          onClick={() => go(channelPath(thread.server_id, thread.parent_id ?? undefined))}
        />
      </header>
      <div class="conversation">
        <MessageList place={place} title={name} />
        {archived_at !== null && !locked ? <p class="quiet hint">{words.threads.archivedHint}</p> : null}
        <Composer place={place} title={name} channel={thread} />
      </div>
    </aside>
  )
}
