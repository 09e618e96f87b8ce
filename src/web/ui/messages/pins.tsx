import { useEffect, useState } from 'preact/hooks'
import type { Message } from '../../../features/messages/model.ts'
import { momentOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'
import { closeDialog, closeDialogs, Dialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { MessageShown } from '../emoji/emoji.tsx'
import { gistOf } from './quote.tsx'
import { RichText } from './rich-text.tsx'
import { seek } from './scroll.ts'

const PAGE = 50

/** The pinned messages of a place. */
export const PinsPanel = ({ channel_id }: { channel_id: number }) => {
  follow('members', 'shell', `timeline c${channel_id}`)
  const [pins, setPins] = useState<Message[]>([])
  const [ended, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const channel = state.channels.get(channel_id)
  const mayPin = channel !== undefined && state.mayIn(channel, 'pin_messages')
  const more = async () => {
    const query = { channel_id, limit: PAGE, offset: pins.length }
    const rows = await attempt(() => call('GET /api/channels/:channel_id/pins', query))
    if (!rows) return
    setPins([...pins, ...rows.filter(({ id }) => !pins.some((known) => known.id === id))])
    setEnded(rows.length < PAGE)
  }
  useEffect(() => void more(), [channel_id])
  const unpin = async (message_id: number) => {
    const path = { channel_id, message_id }
    const done = await attempt(() => call('DELETE /api/channels/:channel_id/pins/:message_id', path).then(() => true))
    if (done) setPins(pins.filter(({ id }) => id !== message_id))
  }
  const jump = (id: number) => {
    closeDialogs()
    seek({ channel_id }, id)
  }
  return (
    <Dialog title={words.pins.title} onClose={closeDialog} class="small pins">
      <div>
        {ended && pins.length === 0 ? (
          <Empty icon="pin" title={dialogWords.pins.none} text={dialogWords.pins.noneText} />
        ) : null}
        <ul>
          {pins.map((message) => (
            <li key={message.id}>
              <div class="row">
                <Avatar id={message.author.id} size={28} />
                <bdi class="name">
                  {nameOf(message.author.id, message.member?.nickname ?? message.author.display_name)}
                </bdi>
                <small>{momentOf(message.created_at)}</small>
              </div>
              <MessageShown.Provider value={{ message_id: message.id, server_id: channel?.server_id ?? null }}>
                {message.content && !state.isFolded(channel_id, message.author.id) ? (
                  <RichText text={message.content} said={message} />
                ) : (
                  <p class="rich quiet" dir="auto">
                    {gistOf(message)}
                  </p>
                )}
              </MessageShown.Provider>
              <footer>
                {mayPin ? (
                  <button type="button" disabled={busy} onClick={() => void unpin(message.id)}>
                    {words.pins.unpin}
                  </button>
                ) : null}
                <button type="button" onClick={() => jump(message.id)}>
                  {dialogWords.pins.jump}
                </button>
              </footer>
            </li>
          ))}
        </ul>
        <Refusal error={error} />
        {ended || busy ? null : (
          <button type="button" onClick={() => void more()}>
            {words.more}
          </button>
        )}
      </div>
    </Dialog>
  )
}
