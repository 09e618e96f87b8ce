import { briefOf, momentOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { call, follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { isCalled, isOfOther } from '../../state/unread.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { MessageShown } from '../emoji/emoji.tsx'
import { AuthorPicture } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal } from '../kit/forms.tsx'
import { Attachments } from '../messages/attachments.tsx'
import { Embeds } from '../messages/embeds.tsx'
import { Forwarded } from '../messages/forwarded.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { useLiveList } from '../messages/use-live-list.ts'

const PAGE = 25

/** Channel and server of a message. */
function placeOf({ channel_id }: Entry): string {
  const channel = state.channels.get(channel_id)
  const server = channel?.server_id ? state.servers.get(channel.server_id) : undefined
  return [channel && titleOf(channel), server && withoutBidi(server.name)].filter(Boolean).join(' · ')
}

/** A dialog with the messages that mention the account. */
export const Inbox = () => (
  <Dialog title={dialogWords.inbox.title} onClose={closeDialog} class="inbox">
    <Mentions />
  </Dialog>
)

/** The messages that mention the account, newest first; each leads to its place. */
export const Mentions = () => {
  follow('members', 'shell')
  const list = useLiveList({
    page: PAGE,
    fetch: (entries) => {
      const before = entries.at(-1)?.id
      return call('GET /api/mentions', { limit: PAGE, ...(before ? { before } : {}) })
    },
    belongs: (entry) => isOfOther(state, entry) && isCalled(state, entry),
    order: (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at) || other.id - one.id,
  })
  const { entries, isWhole: atEnd, busy, error } = list
  return (
    <div class="scroll mentions" tabIndex={0}>
      {entries.length === 0 && atEnd ? (
        <Empty icon="at" title={dialogWords.inbox.none} text={dialogWords.inbox.noneText} />
      ) : null}
      <ul>
        {entries.map((entry) => (
          <Mention key={entry.id} entry={entry} />
        ))}
      </ul>
      <Refusal error={error} />
      {atEnd ? null : (
        <button type="button" disabled={busy} onClick={list.more}>
          {busy ? words.loading : dialogWords.inbox.more}
        </button>
      )}
    </div>
  )
}

const Mention = ({ entry }: { entry: Entry }) => {
  const name = nameOf(entry.author.id, entry.member?.nickname ?? entry.author.display_name)
  const server_id = state.channels.get(entry.channel_id)?.server_id ?? null
  return (
    <li class="message">
      <span class="gutter">
        <AuthorPicture entry={entry} />
      </span>
      <div class="byline">
        <a class="name" href={placePath(entry.channel_id, entry.id)} aria-label={dialogWords.inbox.jump(name)}>
          <bdi>{name}</bdi>
        </a>
        <small>
          <bdi>{dialogWords.inbox.in(placeOf(entry))}</bdi>
        </small>
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {briefOf(entry.created_at)}
        </time>
      </div>
      <div class="body">
        <MessageShown.Provider value={{ message_id: entry.id, server_id }}>
          {entry.content ? <RichText text={entry.content} mentions={entry} /> : null}
          {entry.forwarded ? <Forwarded forwarded={entry.forwarded} /> : null}
        </MessageShown.Provider>
        {entry.files.length > 0 ? <Attachments entry={entry} /> : null}
        {entry.embeds.length > 0 ? <Embeds embeds={entry.embeds} entry={entry} /> : null}
      </div>
    </li>
  )
}
