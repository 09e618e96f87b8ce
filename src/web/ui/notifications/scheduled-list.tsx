import { useEffect, useRef, useState } from 'preact/hooks'
import type { Scheduled } from '../../../features/scheduled/model.ts'
import { ApiError } from '../../client/rest.ts'
import { momentOf } from '../../state/format.ts'
import { compositionOf } from '../../state/mentions.ts'
import { knownNameOf, tokenNameOf } from '../../state/names.ts'
import { reasonOf } from '../../state/reason.ts'
import { placePath } from '../../state/route.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { laterWords } from '../../words/later.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { LaterTime } from '../messages/later-time.tsx'
import { MentionField } from '../messages/mention-field.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { contentToSend } from '../messages/send-unsent.ts'
import { placeOf } from './inbox-entry.tsx'

/** The messages that the account has scheduled, the next first. */
export const ScheduledList = () => {
  follow('members', 'shell')
  const [rows, setRows] = useState<Scheduled[]>()
  const { attempt, busy, error } = useAttempt()
  const turn = useRef(0)
  const load = async () => {
    const now = ++turn.current
    const answer = await attempt(() => call('GET /api/scheduled'))
    if (answer && now === turn.current) setRows(answer)
  }
  useEffect(() => {
    void load()
    return gateway.listen(({ t }) => {
      if (t === 'scheduled.updated' || t === 'scheduled.removed' || t === 'ready' || t === 'channel.deleted')
        void load()
    })
  }, [])
  const says = laterWords.scheduled
  const confirm = () => call('POST /api/scheduled/confirm')
  return (
    <div class="scroll mentions" tabIndex={0}>
      {rows?.length === 0 ? <Empty icon="clock" title={says.none} text={says.noneText} /> : null}
      {rows?.some(({ state: now }) => now === 'held') ? (
        <p role="status">
          {says.held}{' '}
          <button type="button" class="primary" disabled={busy} onClick={() => void attempt(confirm)}>
            {says.confirm}
          </button>
        </p>
      ) : null}
      <ul>
        {(rows ?? []).map((row) => (
          <ScheduledEntry key={row.id} row={row} busy={busy} attempt={attempt} />
        ))}
      </ul>
      <Refusal error={error} />
      {rows === undefined && busy ? <p class="quiet">{words.loading}</p> : null}
    </div>
  )
}

interface ScheduledEntryProps {
  row: Scheduled
  busy: boolean
  attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>
}

/** When the message is sent, or why it was not. */
function statusOf({ state: now, reason, send_at }: Scheduled): string {
  if (now === 'waiting') return laterWords.scheduled.at(momentOf(send_at))
  if (now === 'held') return laterWords.scheduled.isHeld
  if (reason === 'overdue' || reason === null) return laterWords.scheduled.overdue
  return `${words.messages.refused} ${reasonOf(new ApiError(0, reason, reason))}`
}

const ScheduledEntry = ({ row, busy, attempt }: ScheduledEntryProps) => {
  const { id: scheduled_id, channel_id, content, files } = row
  const where = channel_id === null ? '' : placeOf({ channel_id })
  const cancel = () => call('DELETE /api/scheduled/:scheduled_id', { scheduled_id })
  return (
    <li class="scheduled">
      <p class={row.state === 'waiting' ? 'quiet' : 'due'}>{statusOf(row)}</p>
      {where && channel_id !== null ? (
        <small>
          <a href={placePath(channel_id)}>
            <bdi>{dialogWords.inbox.in(where)}</bdi>
          </a>
        </small>
      ) : null}
      {content ? <RichText text={content} /> : null}
      {files.length > 0 ? (
        <small class="quiet">
          <bdi>{files.map(({ filename }) => filename).join(', ')}</bdi>
        </small>
      ) : null}
      <div class="choices">
        {channel_id === null ? null : (
          <button type="button" onClick={() => showDialog(() => <ScheduledForm row={row} />)}>
            {laterWords.scheduled.edit}
          </button>
        )}
        <button type="button" disabled={busy} onClick={() => void attempt(cancel)}>
          {words.messages.giveUp}
        </button>
      </div>
    </li>
  )
}

/** Changes the text or the time of a scheduled message. */
const ScheduledForm = ({ row }: { row: Scheduled }) => {
  const { id: scheduled_id, channel_id, content, reply_to_id, reply_mention, files } = row
  const channel = state.channels.get(channel_id ?? 0)
  const box = useRef<HTMLTextAreaElement>(null)
  const [value, setValue] = useState(() => compositionOf(content, knownNameOf, tokenNameOf))
  const { attempt, busy, error } = useAttempt()
  const save = async (send_at?: string) => {
    const closeThis = topDialogCloser()
    const next = channel ? contentToSend(value, channel) : content
    const file_ids = files.map(({ id }) => id)
    const draft = { content: next, file_ids, reply_to_id, reply_mention }
    const change = { ...(next === content ? {} : { draft }), ...(send_at ? { send_at } : {}) }
    if (Object.keys(change).length === 0) return closeDialog()
    if (await attempt(() => call('PUT /api/scheduled/:scheduled_id', { scheduled_id }, change))) closeThis()
  }
  return (
    <Dialog title={laterWords.scheduled.edit} onClose={closeDialog} class="small">
      <form onSubmit={(event) => (event.preventDefault(), void save())}>
        <MentionField
          box={box}
          channel={channel}
          label={actionWords.message.edit}
          value={value}
          onChange={setValue}
          onKeyDown={() => {}}
        />
        <LaterTime action={laterWords.scheduled.schedule} busy={busy} set={(time) => void save(time)} />
        <Refusal error={error} />
        <div class="footer">
          <button class="primary" disabled={busy}>
            {words.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
