import { useEffect, useState } from 'preact/hooks'
import type { PublicUser } from '../../../core/schema.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Emoji, nameOfEmoji } from '../emoji/emoji.tsx'
import { Avatar } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const PAGE = 100

/** Accounts that reacted to a message, by emoji. */
export const WhoReacted = ({ entry, first }: { entry: Entry; first: string }) => {
  follow(`timeline c${entry.channel_id}`, 'members')
  const now = state.timelines.get(`c${entry.channel_id}`)?.entries.find(({ id }) => id === entry.id) ?? entry
  const [emoji, setEmoji] = useState(first)
  const [people, setPeople] = useState<PublicUser[]>([])
  const [isComplete, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const loadMore = async (before: PublicUser[]) => {
    const path = { message_id: entry.id, emoji, limit: PAGE, after: before.at(-1)?.id ?? 0 }
    const rows = (await attempt(() => call('GET /api/messages/:message_id/reactions/:emoji', path))) ?? []
    setPeople([...before, ...rows])
    setEnded(rows.length < PAGE)
  }
  useEffect(() => void loadMore([]), [emoji])
  const channel = state.channels.get(entry.channel_id)
  const mayClear = channel !== undefined && state.mayIn(channel, 'manage_messages')
  const ask = (action: string, text: string, work: () => Promise<unknown>) => {
    closeDialog()
    askToConfirm({ title: action, text, action, work })
  }
  const { clear, clearText, remove, removeText } = dialogWords.reactions
  const path = { message_id: entry.id }
  const name = nameOfEmoji(emoji)
  const clearAll = () => ask(clear, clearText, () => call('DELETE /api/messages/:message_id/reactions', path))
  const removeOne = () =>
    ask(remove(name), removeText(name), () =>
      call('DELETE /api/messages/:message_id/reactions/:emoji', { ...path, emoji }),
    )
  return (
    <Dialog title={dialogWords.reactions.who(nameOfEmoji(emoji))} onClose={closeDialog} class="small reacted">
      <div>
        <div class="reactions" role="group" aria-label={words.reactions.bar}>
          {now.reactions.map((one) => (
            <button
              key={one.emoji}
              type="button"
              aria-pressed={one.emoji === emoji}
              onClick={() => setEmoji(one.emoji)}
            >
              <Emoji emoji={one.emoji} /> <span>{one.count}</span>
            </button>
          ))}
        </div>
        <ul class="table">
          {people.map(({ id, display_name }) => (
            <li key={id} class="row">
              <Avatar id={id} size={28} /> <bdi>{nameOf(id, display_name)}</bdi>
            </li>
          ))}
        </ul>
        <Refusal error={error} />
        <div class="footer">
          {isComplete ? null : (
            <button type="button" disabled={busy} onClick={() => void loadMore(people)}>
              {words.more}
            </button>
          )}
          {mayClear && now.reactions.length > 1 ? (
            <button type="button" class="danger" onClick={removeOne}>
              {remove(name)}
            </button>
          ) : null}
          {mayClear ? (
            <button type="button" class="danger" onClick={clearAll}>
              {clear}
            </button>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}
