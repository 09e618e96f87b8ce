import { useEffect, useState } from 'preact/hooks'
import type { PublicUser } from '../../../core/schema.ts'
import type { Poll } from '../../../features/polls/model.ts'
import { nameOf } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { pollWords } from '../../words/polls.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const PAGE = 100

/** Accounts that voted for an answer of a poll. */
export const PollVoters = ({ message_id, answer }: { message_id: number; answer: Poll['answers'][number] }) => {
  const [people, setPeople] = useState<PublicUser[]>([])
  const [isComplete, setComplete] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const loadMore = async () => {
    const path = { message_id, answer_id: answer.id, limit: PAGE, after: people.at(-1)?.id ?? 0 }
    const rows = await attempt(() => call('GET /api/messages/:message_id/poll/answers/:answer_id/voters', path))
    if (!rows) return
    setPeople([...people, ...rows])
    setComplete(rows.length < PAGE)
  }
  useEffect(() => void loadMore(), [])
  return (
    <Dialog title={pollWords.votersOf(answer.text)} onClose={closeDialog} class="small">
      <div>
        <ul class="table">
          {people.map(({ id, display_name }) => (
            <li key={id} class="row">
              <Avatar id={id} size={28} /> <bdi>{nameOf(id, display_name)}</bdi>
            </li>
          ))}
        </ul>
        <Refusal error={error} />
        {isComplete ? null : (
          <div class="footer">
            <button type="button" disabled={busy} onClick={() => void loadMore()}>
              {words.more}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
