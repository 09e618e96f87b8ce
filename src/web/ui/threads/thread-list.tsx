import { useEffect, useState } from 'preact/hooks'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { isUnreadAloud } from '../../state/notifications.ts'
import { channelPath } from '../../state/route.ts'
import { connection, follow, loader, state, store } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { DraftSign, IconButton } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Icon } from '../kit/icons.tsx'
import { MenuButton, threadsShown, useBack } from '../kit/pane.tsx'
import { mayBegin, showNewThread } from './show-threads.tsx'

/** Fetches the threads of a channel, page by page. @returns fetches the next page; undefined without one */
function useThreads(channel_id: number, isArchived: boolean): (() => void) | undefined {
  const [next, setNext] = useState<number | undefined>(undefined)
  const fetch = (offset: number) =>
    loader.threads(channel_id, { archived: isArchived ? 'true' : 'false' }, offset).then(
      (isMore) => setNext(isMore ? offset + 100 : undefined),
      () => setNext(offset),
    )
  const isOnline = connection.value === 'online'
  useEffect(() => {
    if (isOnline) void fetch(0)
  }, [channel_id, isArchived, isOnline])
  return next === undefined ? undefined : () => void fetch(next)
}

/** List of a channel's threads, next to the channel: the active ones, or the archive. */
export const ThreadList = ({ channel }: { channel: ServerChannel }) => {
  follow('shell', 'members')
  const { id: channel_id } = channel
  useBack(() => (threadsShown.value = false))
  const [archived, setArchived] = useState(false)
  const hasMore = useThreads(channel_id, archived)
  const threads = state.threadsOf(channel_id, archived)
  const isLively = state.lively.has(channel_id)
  useEffect(() => {
    if (!state.lively.delete(channel_id)) return
    store.touch('shell')
    store.notify()
  }, [channel_id, isLively])
  const tab = (isArchived: boolean, text: string) => (
    <button type="button" aria-pressed={archived === isArchived} onClick={() => setArchived(isArchived)}>
      {text}
    </button>
  )
  return (
    <aside class="side-panel list" aria-label={actionWords.threads.title}>
      <header class="bar">
        <MenuButton />
        <Icon name="thread" />
        <h2>{actionWords.threads.title}</h2>
        {mayBegin(channel_id) ? (
          <IconButton icon="add" label={actionWords.threads.begin} onClick={() => void showNewThread({ channel_id })} />
        ) : null}
        <IconButton icon="close" label={dialogWords.threads.closeList} onClick={() => (threadsShown.value = false)} />
      </header>
      <div class="tabs" role="group" aria-label={actionWords.threads.title}>
        {tab(false, dialogWords.threads.active)}
        {tab(true, words.threads.archived)}
      </div>
      <ul class="scroll">
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} />
        ))}
      </ul>
      {threads.length === 0 ? (
        <Empty
          icon={archived ? 'archive' : 'thread'}
          title={archived ? dialogWords.threads.noneArchived : dialogWords.threads.none}
          text={archived ? dialogWords.threads.noneArchivedText : dialogWords.threads.noneText}
        >
          {!archived && mayBegin(channel_id) ? (
            <button type="button" onClick={() => void showNewThread({ channel_id })}>
              {actionWords.threads.begin}
            </button>
          ) : null}
        </Empty>
      ) : null}
      {hasMore ? (
        <button type="button" class="quiet" onClick={hasMore}>
          {words.more}
        </button>
      ) : null}
    </aside>
  )
}

const ThreadRow = ({ thread }: { thread: ServerChannel }) => (
  <li class={`row ${isUnreadAloud(state, thread) ? 'unread' : ''}`}>
    <a href={channelPath(thread.server_id, thread.id)}>
      <Icon name="thread" size={18} />
      <span class="lines">
        <bdi>{withoutBidi(thread.name)}</bdi>
        <small class="quiet">
          <bdi>{nameOf(thread.owner_id ?? 0)}</bdi> · {words.threads.messages(thread.message_count)}
          {thread.locked ? ` · ${actionWords.threads.locked}` : ''}
        </small>
      </span>
      <DraftSign channel_id={thread.id} />
    </a>
  </li>
)
