import { nameOf } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { call, follow, state } from '../../state/session.ts'
import { friendWords } from '../../words/friends.ts'
import { moderationWords } from '../../words/moderation.ts'
import { Avatar } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { showReport } from './show-report.tsx'

const says = friendWords.messageRequests

const answer = (user_id: number, answered: 'accepted' | 'ignored') =>
  call('PUT /api/dm/:user_id/request', { user_id }, { state: answered })

/** The buttons that answer a message request. */
const Answers = ({ channel_id, user_id }: { channel_id: number; user_id: number }) => {
  follow('shell')
  const { attempt, busy, error } = useAttempt()
  const { request, last_message_id } = state.conversations.get(channel_id) ?? {}
  const named = (text: string) => `${text}: ${nameOf(user_id)}`
  return (
    <span class="choices">
      <button
        type="button"
        class="primary"
        disabled={busy}
        aria-label={named(friendWords.accept)}
        onClick={() => void attempt(() => answer(user_id, 'accepted'))}
      >
        {friendWords.accept}
      </button>
      {request === 'waiting' ? (
        <button
          type="button"
          disabled={busy}
          aria-label={named(says.ignore)}
          onClick={() => void attempt(() => answer(user_id, 'ignored'))}
        >
          {says.ignore}
        </button>
      ) : null}
      <button
        type="button"
        class="danger"
        aria-label={named(moderationWords.reportMessage)}
        onClick={() =>
          void showReport({
            author_id: user_id,
            server_id: null,
            ...(last_message_id ? { message_id: last_message_id } : {}),
          })
        }
      >
        {moderationWords.reportMessage}
      </button>
      <Refusal error={error} />
    </span>
  )
}

/** Stands where the composer of a dm is, while the dm is a request. */
export const RequestBar = ({ channel_id, user_id }: { channel_id: number; user_id: number }) => (
  <section class="request" aria-label={says.title}>
    <p class="quiet">{says.text(nameOf(user_id))}</p>
    <Answers channel_id={channel_id} user_id={user_id} />
  </section>
)

/** All message requests, those first that wait. */
export const RequestsDialog = () => {
  follow('shell', 'members')
  const requests = [...state.conversations]
    .flatMap(([id, { request, user_id }]) => (request && user_id ? [{ id, request, user_id }] : []))
    .toSorted((a, b) => (a.request === b.request ? b.id - a.id : a.request === 'waiting' ? -1 : 1))
  return (
    <Dialog title={says.title} onClose={closeDialog} class="small">
      <p class="quiet">{says.hint}</p>
      <ul class="people">
        {requests.map(({ id, request, user_id }) => (
          <li key={id} class="row person">
            <Avatar id={user_id} size={40} />
            <span>
              <a href={placePath(id)} onClick={closeDialog}>
                <bdi>{nameOf(user_id)}</bdi>
              </a>
              {request === 'ignored' ? <small>{says.ignored}</small> : null}
            </span>
            <Answers channel_id={id} user_id={user_id} />
          </li>
        ))}
      </ul>
      {requests.length === 0 ? <p class="quiet">{says.none}</p> : null}
    </Dialog>
  )
}
