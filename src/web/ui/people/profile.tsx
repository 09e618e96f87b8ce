import { useEffect, useState } from 'preact/hooks'
import type { Profile as About } from '../../../features/profiles/model.ts'
import { expectMember } from '../../state/expected.ts'
import { fetchSome } from '../../state/large-servers.ts'
import { isLarge } from '../../state/member-lists.ts'
import { displayNameOf, isHuman, nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { dateOf, momentOf } from '../../state/format.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { words } from '../../words/words.ts'
import { Avatar, KindSign, StatusLine } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, tellRefusal } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { RelationActions } from './friends.tsx'
import { showReport } from './show-report.tsx'
import {
  askToKick,
  askToQuarantine,
  endTimeout,
  letIn,
  showBan,
  showTimeout,
  showWarning,
} from '../server/moderation.tsx'
import { showCases } from '../server/show-cases.tsx'
import { CompareButton } from '../voice/compare-button.tsx'

/** The profile of an account: its relation, and its roles and moderation in a server. */
export const Profile = ({ user_id, server_id }: { user_id: number; server_id?: number }) => {
  follow('members', 'shell')
  const member = server_id === undefined ? undefined : state.members.get(server_id)?.get(user_id)
  const isUnknown = server_id !== undefined && !member && isLarge(state, server_id)
  useEffect(() => {
    if (isUnknown) fetchSome(server_id, [user_id]).catch(() => {})
  }, [user_id, isUnknown])
  const about = useAbout(user_id)
  return (
    <Dialog title={nameOf(user_id)} onClose={closeDialog} class="small profile">
      {about?.banner_url ? <img class="banner" src={about.banner_url} alt="" /> : null}
      <div class="row person">
        <Avatar id={user_id} size={72} status />
        <span>
          <strong class="large">
            <bdi>{nameOf(user_id)}</bdi>
          </strong>
          <KindSign kind={state.users.get(user_id)?.kind} />
          {about?.pronouns ? (
            <small>
              <bdi>{withoutBidi(about.pronouns)}</bdi>
            </small>
          ) : null}
          <small>
            <StatusLine id={user_id} />
          </small>
          {member?.nickname ? <small>{displayNameOf(user_id)}</small> : null}
          {member ? <small>{dialogWords.profile.since(dateOf(member.joined_at))}</small> : null}
          {member?.timed_out_until ? (
            <small>{dialogWords.profile.timedOut(momentOf(member.timed_out_until))}</small>
          ) : null}
          {member?.held_back === 'quarantined' ? <small>{dialogWords.profile.quarantined}</small> : null}
        </span>
      </div>
      {about?.bio ? (
        <p class="bio" dir="auto">
          {withoutBidi(about.bio)}
        </p>
      ) : null}
      <RelationActions user_id={user_id} label>
        <CompareButton user_id={user_id} />
        <button type="button" onClick={() => showReport({ author_id: user_id, server_id: server_id ?? null })}>
          {moderationWords.reportProfile}
        </button>
      </RelationActions>
      {member ? <Nickname key={member.nickname} user_id={user_id} server_id={member.server_id} /> : null}
      {member ? <Membership user_id={user_id} server_id={member.server_id} /> : null}
    </Dialog>
  )
}

/** The account's bio, pronouns and banner; undefined for strangers, bots and guests, and until they have arrived. */
function useAbout(userId: number): About | undefined {
  const [about, setAbout] = useState<About>()
  const kind = state.users.get(userId)?.kind ?? 'person'
  useEffect(() => {
    if (kind === 'person') void call('GET /api/users/:user_id/profile', { user_id: userId }).then(setAbout, () => {})
  }, [userId, kind])
  // That of the last account may still be here, and arrive late.
  return about?.user_id === userId ? about : undefined
}

/** The form that changes a member's nickname, for who may. */
const Nickname = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  follow('members', 'shell')
  const nickname = state.members.get(server_id)?.get(user_id)?.nickname ?? ''
  const [value, setValue] = useState(nickname)
  const isBelow = state.highestPosition(server_id, user_id) < state.highestPosition(server_id, state.me())
  const mayName =
    user_id === state.me()
      ? state.may(server_id, 'change_nickname')
      : isBelow && state.may(server_id, 'manage_nicknames')
  if (!mayName) return null
  const save = (event: Event) => {
    event.preventDefault()
    const body = { nickname: value.trim() === '' ? null : value }
    // A changed name resets the form.
    tellRefusal(
      expectMember(server_id, user_id, body, () =>
        call('PUT /api/servers/:server_id/members/:user_id', { server_id, user_id }, body),
      ),
    )
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
        <button disabled={value === nickname}>{words.save}</button>
      </div>
    </form>
  )
}

/** A member's roles, and the buttons to kick and ban. */
const Membership = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const { attempt, error } = useAttempt()
  const heldIds = state.members.get(server_id)?.get(user_id)?.role_ids ?? []
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .toSorted((a, b) => b.position - a.position)
  const ownPosition = state.highestPosition(server_id, state.me())
  const mayGive = state.may(server_id, 'manage_roles') && state.users.get(user_id)?.kind !== 'guest'
  const ids = (role_id: number) => ({ server_id, user_id, role_id })
  const toggle = (role_id: number, has: boolean) => {
    const role_ids = has ? heldIds.filter((id) => id !== role_id) : [...heldIds, role_id]
    const path = '/api/servers/:server_id/members/:user_id/roles/:role_id'
    return attempt(() =>
      expectMember(server_id, user_id, { role_ids }, async () =>
        has ? void (await call(`DELETE ${path}`, ids(role_id))) : void (await call(`POST ${path}`, ids(role_id))),
      ),
    )
  }
  return (
    <>
      <h3>{dialogWords.profile.roles}</h3>
      {roles.length === 0 ? <p class="quiet">{dialogWords.profile.noRoles}</p> : null}
      <ul class="chips">
        {roles
          .filter((role) => mayGive || heldIds.includes(role.id))
          .map((role) => (
            <li key={role.id}>
              <label style={{ '--tint': role.color ?? undefined }}>
                <input
                  type="checkbox"
                  checked={heldIds.includes(role.id)}
                  disabled={!mayGive || role.position >= ownPosition}
                  onChange={() => void toggle(role.id, heldIds.includes(role.id))}
                />
                <bdi>{withoutBidi(role.name)}</bdi>
              </label>
            </li>
          ))}
      </ul>
      <Refusal error={error} />
      {state.highestPosition(server_id, user_id) < ownPosition ? (
        <Moderation user_id={user_id} server_id={server_id} />
      ) : null}
    </>
  )
}

/** The buttons to time out, quarantine, kick and ban a member with a lower position. */
const Moderation = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  if (user_id === state.me()) return null
  return (
    <span class="choices">
      {state.may(server_id, 'moderate_members') ? (
        <>
          <button type="button" onClick={() => void showCases(user_id, server_id)}>
            {moderationWords.casesTab}
          </button>
          <button type="button" class="danger" onClick={() => showWarning(user_id, server_id)}>
            {moderationWords.warn}
          </button>
          <TimeoutButton user_id={user_id} server_id={server_id} />
          <QuarantineButton user_id={user_id} server_id={server_id} />
        </>
      ) : null}
      {state.may(server_id, 'kick_members') ? (
        <button type="button" class="danger" onClick={() => askToKick(user_id, server_id)}>
          {dialogWords.bans.kick}
        </button>
      ) : null}
      {state.may(server_id, 'ban_members') ? (
        <button type="button" class="danger" onClick={() => showBan(user_id, server_id)}>
          {dialogWords.bans.ban}
        </button>
      ) : null}
    </span>
  )
}

const TimeoutButton = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  follow('members', 'shell')
  const { attempt, busy } = useAttempt()
  if (state.members.get(server_id)?.get(user_id)?.timed_out_until == null)
    return (
      <button type="button" class="danger" onClick={() => showTimeout(user_id, server_id)}>
        {dialogWords.timeouts.begin}
      </button>
    )
  const end = () => attempt(() => endTimeout(user_id, server_id))
  return (
    <button type="button" disabled={busy} onClick={() => void end()}>
      {dialogWords.timeouts.end}
    </button>
  )
}

const QuarantineButton = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  follow('members', 'shell')
  const { attempt, busy } = useAttempt()
  if (state.members.get(server_id)?.get(user_id)?.held_back == null)
    return !isHuman(user_id) ? null : (
      <button type="button" class="danger" onClick={() => askToQuarantine(user_id, server_id)}>
        {dialogWords.quarantine.begin}
      </button>
    )
  return (
    <button type="button" disabled={busy} onClick={() => void attempt(() => letIn(user_id, server_id))}>
      {dialogWords.quarantine.end}
    </button>
  )
}
