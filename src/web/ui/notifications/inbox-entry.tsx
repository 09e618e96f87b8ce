import type { ComponentChildren } from 'preact'
import { briefOf, momentOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { MessageShown } from '../emoji/emoji.tsx'
import { AuthorPicture } from '../kit/controls.tsx'
import { Attachments } from '../messages/attachments.tsx'
import { Embeds } from '../messages/embeds.tsx'
import { Forwarded } from '../messages/forwarded.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { StickerLater } from '../messages/sticker-later.tsx'

/** Channel and server of a message. */
export function placeOf({ channel_id }: Pick<Entry, 'channel_id'>): string {
  const channel = state.channels.get(channel_id)
  const server = channel?.server_id ? state.servers.get(channel.server_id) : undefined
  return [channel && titleOf(channel), server && withoutBidi(server.name)].filter(Boolean).join(' · ')
}

/** A message in a list of the inbox, which leads to its place. */
export const InboxEntry = ({ entry, children }: { entry: Entry; children?: ComponentChildren }) => {
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
          {entry.forwarded ? <Forwarded forwarded={entry.forwarded} entry={entry} /> : null}
        </MessageShown.Provider>
        {entry.files.length > 0 ? <Attachments entry={entry} /> : null}
        {entry.sticker === undefined ? null : <StickerLater sticker={entry.sticker} entry={entry} />}
        {entry.embeds.length > 0 ? <Embeds embeds={entry.embeds} entry={entry} /> : null}
        {children}
      </div>
    </li>
  )
}
