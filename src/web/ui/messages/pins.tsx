import type { Message } from '../../../features/messages/model.ts'
import { briefOf, momentOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { AuthorPicture } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, closeDialogs } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal } from '../kit/forms.tsx'
import { MessageShown } from '../emoji/emoji.tsx'
import { Attachments } from './attachments.tsx'
import { Embeds } from './embeds.tsx'
import { Forwarded } from './forwarded.tsx'
import { RichText } from './rich-text.tsx'
import { StickerLater } from './sticker-later.tsx'
import { seek } from './scroll.ts'
import { useLiveList } from './use-live-list.ts'

const PAGE = 50

const pinnedAt = ({ pinned_at }: Message): number => Date.parse(pinned_at ?? '')

/** The pinned messages of a place. */
export const PinsPanel = ({ channel_id }: { channel_id: number }) => {
  follow('members', 'shell', `timeline c${channel_id}`)
  const pins = useLiveList({
    page: PAGE,
    fetch: ({ length }) => call('GET /api/channels/:channel_id/pins', { channel_id, limit: PAGE, offset: length }),
    belongs: (entry) => entry.channel_id === channel_id && entry.pinned_at !== null,
    order: (one, other) => pinnedAt(other) - pinnedAt(one) || other.id - one.id,
  })
  const { attempt, busy, error } = pins
  const channel = state.channels.get(channel_id)
  const mayPin = channel !== undefined && state.mayIn(channel, 'pin_messages')
  const unpin = (message_id: number) =>
    attempt(() => call('DELETE /api/channels/:channel_id/pins/:message_id', { channel_id, message_id }))
  const jump = (id: number) => {
    closeDialogs()
    seek({ channel_id }, id)
  }
  return (
    <Dialog title={words.pins.title} onClose={closeDialog} class="small pins">
      <div>
        {pins.isWhole && pins.entries.length === 0 ? (
          <Empty icon="pin" title={dialogWords.pins.none} text={dialogWords.pins.noneText} />
        ) : null}
        <ul>
          {pins.entries.map((message) => (
            <li key={message.id}>
              <div class="row">
                <AuthorPicture entry={message} size={28} />
                <bdi class="name">
                  {nameOf(message.author.id, message.member?.nickname ?? message.author.display_name)}
                </bdi>
                <small>
                  <time dateTime={message.created_at} title={momentOf(message.created_at)}>
                    {briefOf(message.created_at)}
                  </time>
                </small>
              </div>
              <MessageShown.Provider value={{ message_id: message.id, server_id: channel?.server_id ?? null }}>
                <Pinned message={message} />
              </MessageShown.Provider>
              <div class="footer">
                {mayPin ? (
                  <button type="button" disabled={busy} onClick={() => void unpin(message.id)}>
                    {actionWords.pins.unpin}
                  </button>
                ) : null}
                <button type="button" onClick={() => jump(message.id)}>
                  {dialogWords.pins.jump}
                </button>
              </div>
            </li>
          ))}
        </ul>
        <Refusal error={error} />
        {pins.isWhole || busy ? null : (
          <button type="button" onClick={pins.more}>
            {words.more}
          </button>
        )}
      </div>
    </Dialog>
  )
}

/** Text and attachments of a pinned message; none if it is collapsed. */
const Pinned = ({ message }: { message: Message }) =>
  state.isFolded(message.channel_id, message.author.id) ? (
    <p class="rich quiet">{words.messages.fromBlocked}</p>
  ) : (
    <>
      {message.content ? <RichText text={message.content} mentions={message} /> : null}
      {message.forwarded ? <Forwarded forwarded={message.forwarded} entry={message} /> : null}
      {message.files.length > 0 ? <Attachments entry={message} /> : null}
      {message.sticker === undefined ? null : <StickerLater sticker={message.sticker} entry={message} />}
      {message.embeds.length > 0 ? <Embeds embeds={message.embeds} entry={message} /> : null}
    </>
  )
