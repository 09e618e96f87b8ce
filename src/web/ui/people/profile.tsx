import { useState } from 'preact/hooks'
import { displayNameOf, nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { dateOf, momentOf } from '../../state/format.ts'
import { spanOf } from '../../words/plural.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Avatar, statusOf } from '../kit/controls.tsx'
import { askToConfirm, closeDialog, closeDialogs, DangerDialog, Dialog, showDialog } from '../kit/dialogs.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
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
          {member?.nickname ? <small>{displayNameOf(user_id)}</small> : null}
          {member ? <small>{dialogWords.profile.since(dateOf(member.joined_at))}</small> : null}
          {member?.timed_out_until ? (
            <small>{dialogWords.profile.timedOut(momentOf(member.timed_out_until))}</small>
          ) : null}
        </span>
      </div>
      <RelationActions user_id={user_id} label />
      {member ? <Nickname key={member.nickname} user_id={user_id} server_id={member.server_id} /> : null}
      {member ? <Membership user_id={user_id} server_id={member.server_id} /> : null}
    </Dialog>
  )
}

/** The form that changes a member's nickname, for who may. */
const Nickname = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  follow('members', 'shell')
  const nickname = state.members.get(server_id)?.get(user_id)?.nickname ?? ''
  const [value, setValue] = useState(nickname)
  const { attempt, busy, error } = useAttempt()
  const isBelow = state.highestPosition(server_id, user_id) < state.highestPosition(server_id, state.me())
  const mayName =
    user_id === state.me()
      ? state.may(server_id, 'change_nickname')
      : isBelow && state.may(server_id, 'manage_nicknames')
  if (!mayName) return null
  const save = async (event: Event) => {
    event.preventDefault()
    const body = { nickname: value.trim() === '' ? null : value }
    await attempt(() => call('PUT /api/servers/:server_id/members/:user_id', { server_id, user_id }, body))
  }
  return (
    <form onSubmit={save}>
      <div class="named">
        <Field
          label={dialogWords.profile.nickname}
          value={value}
          onInput={setValue}
          maxLength={32}
          placeholder={displayNameOf(user_id) ?? ''}
        />
        <button disabled={busy || value === nickname}>{words.save}</button>
      </div>
      <Refusal error={error} />
    </form>
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
      <h3>{dialogWords.profile.roles}</h3>
      {roles.length === 0 ? <p class="quiet">{dialogWords.profile.noRoles}</p> : null}
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

/** The buttons to time out, kick and ban a member with a lower position. */
const Moderation = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  if (user_id === state.me()) return null
  const name = nameOf(user_id)
  const kick = () =>
    askToConfirm({
      title: dialogWords.bans.kick,
      text: dialogWords.bans.kickText(name),
      action: dialogWords.bans.kick,
      work: () => call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }).then(closeDialogs),
    })
  return (
    <span class="choices">
      {state.may(server_id, 'moderate_members') ? <TimeoutButton user_id={user_id} server_id={server_id} /> : null}
      {state.may(server_id, 'kick_members') ? (
        <button type="button" class="danger" onClick={kick}>
          {dialogWords.bans.kick}
        </button>
      ) : null}
      {state.may(server_id, 'ban_members') ? (
        <button
          type="button"
          class="danger"
          onClick={() => showDialog(() => <BanDialog user_id={user_id} server_id={server_id} />)}
        >
          {dialogWords.bans.ban}
        </button>
      ) : null}
    </span>
  )
}

const TimeoutButton = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  follow('members', 'shell')
  const { attempt, busy } = useAttempt()
  const ids = { server_id, user_id }
  if (state.members.get(server_id)?.get(user_id)?.timed_out_until == null)
    return (
      <button
        type="button"
        class="danger"
        onClick={() => showDialog(() => <TimeoutDialog user_id={user_id} server_id={server_id} />)}
      >
        {dialogWords.timeouts.begin}
      </button>
    )
  const end = () => attempt(() => call('PUT /api/servers/:server_id/members/:user_id', ids, { timed_out_until: null }))
  return (
    <button type="button" disabled={busy} onClick={() => void end()}>
      {dialogWords.timeouts.end}
    </button>
  )
}

/** Durations to choose from, seconds; the longest is just below the server's limit, whose clock may differ. */
const TIMEOUT_SECONDS = [60, 300, 3600, 43_200, 86_400, 604_800, 1_209_600, 2_332_800]

const TimeoutDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [seconds, setSeconds] = useState(300)
  const work = () => {
    const timed_out_until = new Date(Date.now() + seconds * 1000).toISOString()
    return call('PUT /api/servers/:server_id/members/:user_id', { server_id, user_id }, { timed_out_until })
  }
  return (
    <DangerDialog
      title={dialogWords.timeouts.begin}
      text={dialogWords.timeouts.text(nameOf(user_id))}
      action={dialogWords.timeouts.begin}
      work={work}
    >
      <SelectField
        label={dialogWords.timeouts.duration}
        value={seconds}
        options={TIMEOUT_SECONDS.map((each) => [each, spanOf(each)])}
        onChange={setSeconds}
      />
    </DangerDialog>
  )
}

const BanDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [reason, setReason] = useState('')
  const body = reason === '' ? {} : { reason }
  return (
    <DangerDialog
      title={dialogWords.bans.ban}
      text={dialogWords.bans.banText(nameOf(user_id))}
      action={dialogWords.bans.ban}
      // The profile of who is no longer a member closes too.
      work={() => call('PUT /api/servers/:server_id/bans/:user_id', { server_id, user_id }, body).then(closeDialogs)}
    >
      <Field label={dialogWords.bans.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}
