import { withoutBidi } from '../../state/names.ts'
import { channelPath, go } from '../../state/route.ts'
import { call, follow, state } from '../../state/session.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import { reasonOf } from '../../state/reason.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { openMenu } from '../kit/menu.tsx'
import { MenuButton } from '../kit/pane.tsx'
import { PostHead } from '../forums/post-head.tsx'
import { Composer } from '../messages/composer.tsx'
import { MessageList } from '../messages/message-list.tsx'

/** Opens the menu of a thread. Loads its code on first use. */
const showActions = (thread: ServerChannel, opener: HTMLElement) =>
  import('../menus/thread-menu.ts').then(
    ({ showThreadMenu }) => showThreadMenu(thread, opener),
    () => showNote(words.notLoaded),
  )

/** Begins or ends that the account follows a thread. */
const setFollowing = (channel_id: number, isFollowing: boolean) =>
  call(`${isFollowing ? 'PUT' : 'DELETE'} /api/channels/:channel_id/followers/@me`, { channel_id }).catch(
    (error: unknown) => showNote(reasonOf(error)),
  )

/** A thread next to its channel; on a phone it fills the page. */
export const ThreadPanel = ({ channel_id }: { channel_id: number }) => {
  follow('shell', 'members')
  const thread = state.channels.get(channel_id)
  if (!thread || !isServerChannel(thread)) return null
  const { archived_at, locked } = thread
  const name = withoutBidi(thread.name)
  const place = { channel_id }
  const isFollowed = state.followed.has(channel_id)
  return (
    <aside class={`side-panel ${thread.tag_ids ? 'of-post' : ''}`} aria-label={words.threads.panel(name)}>
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
          title={actionWords.threads.followHint}
          onClick={() => void setFollowing(channel_id, !isFollowed)}
        >
          {isFollowed ? actionWords.threads.unfollow : actionWords.threads.follow}
        </button>
        <IconButton
          icon="more"
          label={actionWords.threads.actions}
          menu={openMenu.value !== undefined}
          onClick={({ currentTarget }) => showActions(thread, currentTarget)}
        />
        <IconButton
          icon="close"
          label={actionWords.threads.close}
          onClick={() => go(channelPath(thread.server_id, thread.parent_id ?? undefined))}
        />
      </header>
      <div class="conversation">
        {thread.tag_ids ? <PostHead channel_id={channel_id} /> : null}
        <MessageList place={place} title={name} />
        {archived_at !== null && !locked ? <p class="quiet hint">{actionWords.threads.archivedHint}</p> : null}
        <Composer place={place} title={name} channel={thread} />
      </div>
    </aside>
  )
}
