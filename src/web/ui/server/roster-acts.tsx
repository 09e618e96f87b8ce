import { useState } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import type { MemberActResults, MemberActs } from '../../../features/members/model.ts'
import { ApiError } from '../../client/rest.ts'
import { withoutBidi } from '../../state/names.ts'
import { reasonOf } from '../../state/reason.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { listOf, spanOf } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { DangerDialog, Dialog } from '../kit/dialog.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { Field } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { TIMEOUT_SECONDS } from './timeout-seconds.ts'

const says = moderationWords.members
/** Members of one request; the server's limit. */
const ACTS_MAX = 50

/** An act on many members. */
export interface Act {
  action: MemberActs['action']
  label: string
  /** Label of the field for the reason. */
  reason: string
  isDangerous?: boolean
}

const ACTS: (Act & { bit: Permission })[] = [
  { action: 'add_role', bit: 'manage_roles', label: says.addRole, reason: dialogWords.timeouts.reason },
  { action: 'remove_role', bit: 'manage_roles', label: says.removeRole, reason: dialogWords.timeouts.reason },
  {
    action: 'timeout',
    bit: 'moderate_members',
    label: dialogWords.timeouts.begin,
    reason: dialogWords.timeouts.reason,
    isDangerous: true,
  },
  {
    action: 'kick',
    bit: 'kick_members',
    label: dialogWords.bans.kick,
    reason: dialogWords.bans.kickReason,
    isDangerous: true,
  },
  {
    action: 'ban',
    bit: 'ban_members',
    label: dialogWords.bans.ban,
    reason: dialogWords.bans.reason,
    isDangerous: true,
  },
]

/** The acts that the account's permissions allow; acts on roles only if there is a role to give. */
export const actsIn = (server_id: number): Act[] =>
  ACTS.filter(
    ({ action, bit }) => state.may(server_id, bit) && (!action.endsWith('_role') || givableRoles(server_id).length > 0),
  )

/** The roles below the account's own. */
const givableRoles = (server_id: number): [number, string][] =>
  [...state.roles.values()]
    .filter(
      (role) =>
        role.server_id === server_id &&
        !role.is_everyone &&
        role.bot_id === null &&
        role.position < state.highestPosition(server_id, state.me()),
    )
    .toSorted((a, b) => b.position - a.position)
    .map((role) => [role.id, withoutBidi(role.name)])

type Names = ReadonlyMap<number, string>

/**
 * Asks for what an act needs, acts on the members, and names those for which it was refused.
 * @param onDone called then
 */
export const showAct = (act: Act, server_id: number, names: Names, onDone: () => void): void =>
  showDialog(() => <ActDialog act={act} server_id={server_id} names={names} onDone={onDone} />)

interface ActDialogProps {
  act: Act
  server_id: number
  names: Names
  onDone: () => void
}

const ActDialog = ({ act, server_id, names, onDone }: ActDialogProps) => {
  const roles = givableRoles(server_id)
  const [role_id, setRole] = useState(roles[0]?.[0] ?? 0)
  const [seconds, setSeconds] = useState(300)
  const [reason, setReason] = useState('')
  const { close } = useUnsavedDialog([role_id, seconds, reason])
  const draft = (user_ids: number[]): MemberActs => {
    const { action } = act
    const shared = { user_ids, ...(reason === '' ? {} : { reason }) }
    if (action === 'timeout')
      return { ...shared, action, timed_out_until: new Date(serverNow() + seconds * 1000).toISOString() }
    return action === 'kick' || action === 'ban' ? { ...shared, action } : { ...shared, action, role_id }
  }
  const work = async () => {
    const results = await actOnAll(server_id, [...names.keys()], draft)
    return () => {
      onDone()
      if (results.failed.length > 0) showDialog(() => <Refusals results={results} names={names} />)
    }
  }
  return (
    <DangerDialog
      onClose={close}
      title={act.label}
      text={says.concerns({ n: names.size, names: shortListOf([...names.values()]) })}
      action={act.label}
      work={work}
    >
      {act.action.endsWith('_role') ? (
        <SelectField label={says.role} value={role_id} options={roles} onChange={setRole} />
      ) : null}
      {act.action === 'timeout' ? (
        <SelectField
          label={dialogWords.timeouts.duration}
          value={seconds}
          options={TIMEOUT_SECONDS.map((each) => [each, spanOf(each)])}
          onChange={setSeconds}
        />
      ) : null}
      <Field label={act.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

/** Names that a sentence takes. */
const NAMES_MAX = 5

const shortListOf = (names: string[]): string =>
  listOf(names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX - 1), '…'] : names)

/**
 * Acts on members in as many requests as that takes. A request that fails as a whole ends this: its members and the
 * following ones then count as refused. If the first one fails, nothing was done.
 * @throws ApiError of the first request
 */
async function actOnAll(
  server_id: number,
  ids: number[],
  draft: (userIds: number[]) => MemberActs,
): Promise<MemberActResults> {
  const all: MemberActResults = { done: [], failed: [] }
  for (let at = 0; at < ids.length; at += ACTS_MAX)
    try {
      const user_ids = ids.slice(at, at + ACTS_MAX)
      const answer = await call('POST /api/servers/:server_id/members/acts', { server_id }, draft(user_ids))
      all.done.push(...answer.done)
      all.failed.push(...answer.failed)
    } catch (error) {
      if (at === 0 || !(error instanceof ApiError)) throw error
      const { code, message } = error
      all.failed.push(...ids.slice(at).map((user_id) => ({ user_id, code, message })))
      return all
    }
  return all
}

/** The members for which an act was refused, with the reasons. */
const Refusals = ({ results, names }: { results: MemberActResults; names: Names }) => (
  <Dialog title={says.notAll} onClose={closeDialog} class="small">
    <p role="status">{says.done(results.done.length)}</p>
    <p>{says.refused}</p>
    <ul class="table">
      {results.failed.map(({ user_id, code, message }) => (
        <li key={user_id} class="row">
          <span>
            <bdi>{names.get(user_id)}</bdi>
            <small>{reasonOf(new ApiError(0, code as ApiError['code'], message))}</small>
          </span>
        </li>
      ))}
    </ul>
    <div class="footer">
      <button type="button" class="primary" onClick={closeDialog}>
        {words.close}
      </button>
    </div>
  </Dialog>
)
