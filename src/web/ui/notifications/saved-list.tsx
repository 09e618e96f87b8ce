import { useEffect, useRef, useState } from 'preact/hooks'
import type { z } from 'zod'
import type { SavedMessage } from '../../../features/saved/model.ts'
import type { EventFrame } from '../../client/gateway.ts'
import { changesSight } from '../../state/live-list.ts'
import { call, follow, gateway, state, store } from '../../state/session.ts'
import { laterWords } from '../../words/later.ts'
import { words } from '../../words/words.ts'
import { showDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { reminderText, saveMessage } from '../messages/save-message.tsx'
import { InboxEntry } from './inbox-entry.tsx'

/** Messages per request, the most that the server gives at once. */
const PAGE = 100

type Saved = z.infer<typeof SavedMessage>

/** The first pages of the list. */
async function fetchPages(pages: number): Promise<Saved[]> {
  const rows: Saved[] = []
  for (let page = 0; page < pages && rows.length === page * PAGE; page++)
    rows.push(...(await call('GET /api/saved', { limit: PAGE, offset: page * PAGE })))
  return rows
}

/** True if the event may change the list. */
const isOfList = (rows: Saved[], frame: EventFrame): boolean => {
  const { t, d } = frame
  if (t === 'saved.updated' || t === 'saved.removed') return true
  if (t === 'message.updated' || t === 'message.deleted') return rows.some(({ message_id }) => message_id === d.id)
  return t === 'channel.pruned' || t === 'channel.deleted' || changesSight(frame)
}

/** Keeps the due reminders of the list, which comes with the permissions of the moment: due ones are first. */
function keepReminders(rows: Saved[]): void {
  const dueIds = new Set(rows.filter(({ due }) => due).map(({ message_id }) => message_id))
  for (const id of state.reminders.keys()) if (!dueIds.has(id)) state.reminders.delete(id)
  store.touch('shell')
  store.notify()
}

/** The messages that the account has saved, due reminders first. */
export const SavedList = () => {
  follow('members', 'shell')
  const [rows, setRows] = useState<Saved[]>()
  const [pages, setPages] = useState(1)
  const { attempt, busy, error } = useAttempt()
  const latest = useRef({ rows: [] as Saved[], turn: 0 })
  const load = async () => {
    const turn = ++latest.current.turn
    const answer = await attempt(() => fetchPages(pages))
    if (!answer || turn !== latest.current.turn) return
    latest.current.rows = answer
    setRows(answer)
    keepReminders(answer)
  }
  useEffect(() => {
    void load()
    return gateway.listen((frame) => {
      if (isOfList(latest.current.rows, frame)) void load()
    })
  }, [pages])
  return (
    <div class="scroll mentions" tabIndex={0}>
      {rows?.length === 0 ? (
        <Empty icon="bookmark" title={laterWords.saved.none} text={laterWords.saved.noneText} />
      ) : null}
      <ul>
        {(rows ?? []).map((row) => (
          <SavedEntry key={row.message_id} row={row} busy={busy} attempt={attempt} />
        ))}
      </ul>
      <Refusal error={error} />
      {rows === undefined && busy ? <p class="quiet">{words.loading}</p> : null}
      {rows && rows.length === pages * PAGE ? (
        <button type="button" disabled={busy} onClick={() => setPages(pages + 1)}>
          {words.more}
        </button>
      ) : null}
    </div>
  )
}

interface SavedEntryProps {
  row: Saved
  busy: boolean
  attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>
}

const SavedEntry = ({ row, busy, attempt }: SavedEntryProps) => {
  const { message_id, message, note, due } = row
  const says = laterWords.saved
  const text = reminderText(row)
  const done = () => call('PUT /api/saved/:message_id', { message_id }, { remind_at: null })
  const remove = () => call('DELETE /api/saved/:message_id', { message_id })
  return (
    <InboxEntry entry={message}>
      {note ? (
        <p class="saved-note">
          <bdi>{note}</bdi>
        </p>
      ) : null}
      {text ? <p class={due ? 'due' : 'quiet'}>{text}</p> : null}
      <div class="choices">
        {due ? (
          <button type="button" class="primary" disabled={busy} onClick={() => void attempt(done)}>
            {says.done}
          </button>
        ) : null}
        <button type="button" onClick={() => showDialog(saveMessage(message_id))}>
          {says.edit}
        </button>
        <button type="button" disabled={busy} onClick={() => void attempt(remove)}>
          {says.remove}
        </button>
      </div>
    </InboxEntry>
  )
}
