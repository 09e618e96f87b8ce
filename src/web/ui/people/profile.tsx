import { useState } from 'preact/hooks'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { dateOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { Avatar, statusOf } from '../kit/controls.tsx'
import { askToConfirm, closeDialog, closeDialogs, DangerDialog, Dialog, showDialog } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { RelationActions } from './friends.tsx'

/** The profile of an account: its relation, and its roles and moderation in a server. */
export const Profile = ({ user_id, server_id }: { user_id: number; server_id?: number }) => {
  follow('members', 'shell')
  const member = server_id === undefined ? undefined : state.members.get(server_id)?.get(user_id)
  return (
    <Dialog title={nameOf(user_id)} onClose={closeDialog} class="small profile">
      <div class="row person">
        <Avatar id={user_id} size={72} status />
        <span>
          <strong class="large">
            <bdi>{nameOf(user_id)}</bdi>
          </strong>
          <small>{words.status[statusOf(user_id)]}</small>
          {member ? <small>{words.profile.since(dateOf(member.joined_at))}</small> : null}
        </span>
      </div>
      <RelationActions user_id={user_id} label />
      {member ? <Membership user_id={user_id} server_id={member.server_id} /> : null}
    </Dialog>
  )
}

/** A member's roles, and the buttons to kick and ban. */
const Membership = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const { attempt, error } = useAttempt()
  const held = state.members.get(server_id)?.get(user_id)?.role_ids ?? []
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .toSorted((a, b) => b.position - a.position)
  const own_position = state.highestPosition(server_id, state.me())
  const mayGive = state.may(server_id, 'manage_roles')
  const ids = (role_id: number) => ({ server_id, user_id, role_id })
  /** The state that was just clicked, by role, until the server answers. */
  const [pending, setPending] = useState<Record<number, boolean>>({})
  const toggle = async (role_id: number, has: boolean) => {
    setPending({ [role_id]: !has })
    await attempt<unknown>(() =>
      has
        ? call('DELETE /api/servers/:server_id/members/:user_id/roles/:role_id', ids(role_id))
        : call('POST /api/servers/:server_id/members/:user_id/roles/:role_id', ids(role_id)),
    )
    setPending({})
  }
  return (
    <>
      <h3>{words.roles.title}</h3>
      {roles.length === 0 ? <p class="quiet">{words.roles.none}</p> : null}
      <ul class="chips">
        {roles
          .filter((role) => mayGive || held.includes(role.id))
          .map((role) => (
            <li key={role.id}>
              <label style={{ '--tint': role.color ?? undefined }}>
                <input
                  type="checkbox"
                  checked={pending[role.id] ?? held.includes(role.id)}
                  disabled={!mayGive || role.position >= own_position}
                  onChange={() => void toggle(role.id, held.includes(role.id))}
                />
                <bdi>{withoutBidi(role.name)}</bdi>
              </label>
            </li>
          ))}
      </ul>
      <Refusal error={error} />
      {state.highestPosition(server_id, user_id) < own_position ? (
        <Moderation user_id={user_id} server_id={server_id} />
      ) : null}
    </>
  )
}

/** The buttons to kick and ban a member with a lower position. */
const Moderation = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  if (user_id === state.me()) return null
  const name = nameOf(user_id)
  const kick = () =>
    askToConfirm({
      title: words.bans.kick,
      text: words.bans.kickText(name),
      action: words.bans.kick,
      work: () => call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }).then(closeDialogs),
    })
  return (
    <span class="choices">
      {state.may(server_id, 'kick_members') ? (
        <button type="button" class="danger" onClick={kick}>
          {words.bans.kick}
        </button>
      ) : null}
      {state.may(server_id, 'ban_members') ? (
        <button
          type="button"
          class="danger"
          onClick={() => showDialog(() => <BanDialog user_id={user_id} server_id={server_id} />)}
        >
          {words.bans.ban}
        </button>
      ) : null}
    </span>
  )
}

const BanDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [reason, setReason] = useState('')
  const body = reason === '' ? {} : { reason }
  return (
    <DangerDialog
      title={words.bans.ban}
      text={words.bans.banText(nameOf(user_id))}
      action={words.bans.ban}
      // The profile of who is no longer a member closes too.
      work={() => call('PUT /api/servers/:server_id/bans/:user_id', { server_id, user_id }, body).then(closeDialogs)}
    >
      <Field label={words.bans.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}
