import { signal } from '@preact/signals'
import { serverNow } from '../../state/server-clock.ts'
import { follow, outbox, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { arrivalWords } from '../../words/arrival.ts'

/** New members are waved at for this long after they were announced, ms. */
const FRESH_MS = 86_400_000

/** Announcements that the account has waved at in this tab. */
const waved = signal<ReadonlySet<number>>(new Set())

/** A button that greets a new member with a wave. */
export const Wave = ({ entry }: { entry: Entry }) => {
  follow('shell', 'members')
  const { id, channel_id, author, created_at } = entry
  const channel = state.channels.get(channel_id)
  const isFresh = serverNow() - Date.parse(created_at) < FRESH_MS
  if (!channel || !isFresh || waved.value.has(id) || !state.mayIn(channel, 'send_messages')) return null
  const wave = () => {
    waved.value = new Set(waved.value).add(id)
    outbox.send({ channel_id }, { content: `👋 <@${author.id}>`, file_ids: [], reply_to_id: null })
  }
  return (
    <button type="button" class="link" onClick={wave}>
      👋 {arrivalWords.wave}
    </button>
  )
}
