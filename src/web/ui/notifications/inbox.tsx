import { useEffect, useState } from 'preact/hooks'
import { dateOf, momentOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { call, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { MessageShown } from '../emoji/emoji.tsx'
import { Avatar } from '../kit/controls.tsx'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Forwarded } from '../messages/forwarded.tsx'
import { nameOfFile } from '../messages/media.ts'
import { RichText } from '../messages/rich-text.tsx'

const PAGE = 25

/** Where a message was written: the channel, and the server it is of. */
function placeOf({ channel_id }: Entry): string {
  const channel = state.channels.get(channel_id)
  const server = channel?.server_id ? state.servers.get(channel.server_id) : undefined
  return [channel && titleOf(channel), server && withoutBidi(server.name)].filter(Boolean).join(' · ')
}

/** The messages that mention the account, newest first; each leads to its place. */
export const Inbox = () => {
  const [entries, setEntries] = useState<Entry[]>([])
  const [atEnd, setAtEnd] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const load = async () => {
    const before = entries.at(-1)?.id
    const page = await attempt(() => call('GET /api/mentions', { limit: PAGE, ...(before ? { before } : {}) }))
    if (!page) return
    setEntries([...entries, ...page])
    setAtEnd(page.length < PAGE)
  }
  useEffect(() => void load(), [])
  return (
    <Dialog title={dialogWords.inbox.title} onClose={closeDialog} class="inbox">
      <div class="scroll" tabIndex={0}>
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
          <button type="button" disabled={busy} onClick={() => void load()}>
            {busy ? words.loading : dialogWords.inbox.more}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const Mention = ({ entry }: { entry: Entry }) => {
  const name = nameOf(entry.author.id, entry.member?.nickname ?? entry.author.display_name)
  const server_id = state.channels.get(entry.channel_id)?.server_id ?? null
  return (
    <li class="message">
      <span class="gutter">
        <Avatar id={entry.author.id} size={40} />
      </span>
      <div class="byline">
        <a class="name" href={placePath(entry.channel_id, entry.id)} aria-label={dialogWords.inbox.jump(name)}>
          <bdi>{name}</bdi>
        </a>
        <small>
          <bdi>{dialogWords.inbox.in(placeOf(entry))}</bdi>
        </small>
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {dateOf(entry.created_at)}
        </time>
      </div>
      <div class="body">
        <MessageShown.Provider value={{ message_id: entry.id, server_id }}>
          {entry.content ? <RichText text={entry.content} said={entry} /> : null}
          {entry.forwarded ? <Forwarded forwarded={entry.forwarded} /> : null}
        </MessageShown.Provider>
        {entry.files.length > 0 ? <p class="quiet">{entry.files.map(nameOfFile).join(', ')}</p> : null}
      </div>
    </li>
  )
}
