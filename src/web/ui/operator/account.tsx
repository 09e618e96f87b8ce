import { useEffect, useState } from 'preact/hooks'
import type { AccountDetails } from '../../../features/operator/model.ts'
import { dateOf, momentOf, sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { operatorWords } from '../../words/operator.ts'
import { digits } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { DangerDialog } from '../kit/dialog.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { Field, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { ask, useAnswer } from './answers.ts'
import { Facts, Refused } from './parts.tsx'

const { accounts: w } = operatorWords

/** One account, with the operator's actions on it. */
export const AccountPage = ({ user_id, onClose }: { user_id: number; onClose: () => void }) => {
  const { answer, load, error } = useAnswer(() => ask('GET /api/operator/accounts/:user_id', { user_id }), user_id)
  return (
    <>
      <button type="button" onClick={onClose}>
        {w.list}
      </button>
      <Refused error={error} />
      {answer ? <Details details={answer} reload={load} onGone={onClose} /> : null}
    </>
  )
}

interface DetailsProps {
  details: AccountDetails
  reload: () => Promise<void>
  onGone: () => void
}

const Details = ({ details, reload, onGone }: DetailsProps) => {
  const { account, sessions, servers } = details
  return (
    <>
      <h2>
        <bdi>{withoutBidi(account.username)}</bdi>
      </h2>
      <Facts facts={factsOf(details)} />
      <Actions account={account} hasSessions={sessions.length > 0} reload={reload} onGone={onGone} />
      <h3>{w.sessions(sessions.length)}</h3>
      <ul class="table">
        {sessions.map((session) => (
          <li key={session.id} class="row">
            <span>
              <strong>{session.ip}</strong>
              <small>
                {w.lastUsed(momentOf(session.last_used_at))} · <bdi>{withoutBidi(session.user_agent ?? '')}</bdi>
              </small>
            </span>
            {account.operator_since ? null : (
              <button type="button" onClick={() => endSession(account, session.id, reload)}>
                {w.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <h3>{w.servers(servers.length)}</h3>
      <ul class="table">
        {servers.map((server) => (
          <li key={server.id}>
            <bdi>{withoutBidi(server.name)}</bdi>{' '}
            <small>
              {server.id} {server.is_owner ? w.owner : ''}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}

function factsOf({ account, figures }: AccountDetails): [string, string][] {
  const { facts } = w
  const times = ['created_at', 'active_at', 'suspended_at', 'deleted_at', 'operator_since'] as const
  const counts = ['messages', 'direct_messages', 'friends_and_requests', 'files'] as const
  return [
    [facts.id, String(account.id)],
    [facts.email, withoutBidi(account.email)],
    [facts.display_name, withoutBidi(account.display_name)],
    ...times.flatMap((name): [string, string][] => {
      const time = account[name]
      return time === null ? [] : [[facts[name], dateOf(time)]]
    }),
    ...(account.suspended_reason === null
      ? []
      : [[facts.suspended_reason, withoutBidi(account.suspended_reason)] as [string, string]]),
    ...counts.map((name): [string, string] => [facts[name], digits(figures[name])]),
    [facts.stored_bytes, sizeOf(figures.stored_bytes)],
  ]
}

function endSession(
  { id, username }: AccountDetails['account'],
  session_id: number,
  reload: () => Promise<void>,
): void {
  askToConfirm({
    title: username,
    text: w.endText,
    action: w.end,
    work: () =>
      ask('DELETE /api/operator/accounts/:user_id/sessions/:session_id', { user_id: id, session_id }).then(reload),
  })
}

interface ActionsProps {
  account: AccountDetails['account']
  hasSessions: boolean
  reload: () => Promise<void>
  onGone: () => void
}

const Actions = ({ account, hasSessions, reload, onGone }: ActionsProps) => {
  const user_id = account.id
  const title = account.username
  const [credential, setCredential] = useState<{ text: string; secret: string }>()
  const { attempt, error } = useAttempt()
  useEffect(askOffers, [])
  if (account.deleted_at !== null) return null
  if (account.operator_since !== null) return <p class="quiet">{w.onlyCommandLine}</p>
  const suspension = () =>
    account.suspended_at === null
      ? showDialog(() => <Suspend account={account} reload={reload} />)
      : askToConfirm({
          title,
          text: w.restoreText,
          action: w.restore,
          work: () => ask('DELETE /api/operator/accounts/:user_id/suspension', { user_id }).then(reload),
        })
  const reset = async () => {
    const { password } = await ask('POST /api/operator/accounts/:user_id/reset', { user_id })
    setCredential({ text: w.newPassword, secret: password })
    await reload()
  }
  const makeLink = async () => {
    const answer = await attempt(() => ask('POST /api/operator/accounts/:user_id/reset-link', { user_id }))
    if (answer) setCredential({ text: w.newLink, secret: answer.link })
  }
  const endAll = () => ask('DELETE /api/operator/accounts/:user_id/sessions', { user_id }).then(reload)
  const remove = () => ask('DELETE /api/operator/accounts/:user_id', { user_id }).then(onGone)
  return (
    <div class="acts">
      {credential ? <HandedOver {...credential} /> : null}
      <Refused error={error} />
      <button type="button" onClick={suspension}>
        {account.suspended_at === null ? w.suspend : w.restore}
      </button>
      {offers.value?.password_login ? (
        <>
          <button
            type="button"
            onClick={() => askToConfirm({ title, text: w.resetText, action: w.reset, work: reset })}
          >
            {w.reset}
          </button>
          <button type="button" onClick={() => void makeLink()}>
            {w.resetLink}
          </button>
        </>
      ) : null}
      {hasSessions ? (
        <button
          type="button"
          onClick={() => askToConfirm({ title, text: w.endAllText, action: w.endAll, work: endAll })}
        >
          {w.endAll}
        </button>
      ) : null}
      <button
        type="button"
        class="danger"
        onClick={() => askToConfirm({ title, text: w.deleteText, action: w.delete, work: remove, phrase: title })}
      >
        {w.delete}
      </button>
    </div>
  )
}

const Suspend = ({ account, reload }: Pick<ActionsProps, 'account' | 'reload'>) => {
  const [reason, setReason] = useState('')
  const { close } = useUnsavedDialog(reason)
  return (
    <DangerDialog
      onClose={close}
      title={account.username}
      text={w.suspendText}
      action={w.suspend}
      disabled={reason.trim() === ''}
      work={() =>
        ask('PUT /api/operator/accounts/:user_id/suspension', { user_id: account.id }, { reason }).then(reload)
      }
    >
      <Field label={w.reason} value={reason} onInput={setReason} maxLength={500} required />
    </DangerDialog>
  )
}

/** The link that the operator passes on to the owner. */
const HandedOver = ({ text, secret }: { text: string; secret: string }) => (
  <p class="password" role="alert">
    {text} <code>{secret}</code>{' '}
    <button type="button" onClick={() => void copyText(secret, words.copied)}>
      {words.copy}
    </button>
  </p>
)
