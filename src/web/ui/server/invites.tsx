import { useEffect, useState } from 'preact/hooks'
import type { Invite } from '../../../features/invites/model.ts'
import type { Role } from '../../../features/roles/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { fetchInvites } from '../../state/invites.ts'
import { call, client, follow, state, store } from '../../state/session.ts'
import { momentOf } from '../../state/format.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { IconButton } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const { invite: w } = dialogWords
const EXPIRIES = [1800, 3600, 86_400, 604_800, 2_592_000, 0].map((s) => [s, w.after(s)] as const)
const USES = [0, 1, 5, 10, 25, 100].map((uses) => [uses, w.times(uses)] as const)

const MEMBERSHIPS: [kind: '' | 'call' | 'day', label: string][] = [
  ['', w.lasts],
  ['call', w.call],
  ['day', w.day],
]

/** Roles that an invite of the account can give. */
const rolesToGive = (server_id: number) =>
  [...state.roles.values()]
    .filter((role) => role.server_id === server_id && role.self_assignable && state.may(server_id, 'manage_roles'))
    .filter(({ position }) => position < state.highestPosition(server_id, state.me()))
    .map(({ id, name }): [number, string] => [id, withoutBidi(name)])

/** The newest invite that this page has made, by server. */
const lastInvites = new Map<number, Invite>()

/** The link that opens an invite. */
export const linkOf = (invite: Invite): string => `${location.origin}/invite/${invite.code}`

/** The dialog that creates an invite link. */
export const NewInvite = ({ server_id }: { server_id: number }) => {
  const [expires_in, setExpires] = useState(86_400)
  const [max_uses, setUses] = useState(0)
  const [kind, setKind] = useState<'' | 'call' | 'day'>('')
  const [roleId, setRole] = useState(0)
  const [guest, setGuest] = useState(false)
  const roles = rolesToGive(server_id)
  const [invite, setInvite] = useState<Invite>()
  const { attempt, busy, error } = useAttempt()
  const create = async (event?: Event) => {
    event?.preventDefault()
    const gifts = { temporary: kind || null, role_id: roleId || null, guest }
    const created = await attempt(() => call('POST /api/invites', {}, { server_id, expires_in, max_uses, ...gifts }))
    setInvite(created)
    // One that is offered again lasts and gives nothing, as the fields say then.
    if (created && !kind && !roleId && !guest) lastInvites.set(server_id, created)
  }
  // Most people want a link without settings: offer the last one of this page if it is still valid.
  const begin = async () => {
    const last = lastInvites.get(server_id)
    const isGood =
      last &&
      (await call('GET /api/invites/:invite', { invite: last.code }).then(
        () => true,
        () => false,
      ))
    if (isGood) setInvite(last)
    else await create()
  }
  useEffect(() => void begin(), [])
  return (
    <Dialog title={words.invite.people} onClose={closeDialog} class="small">
      <div class="link">
        <input
          readOnly
          value={invite ? linkOf(invite) : ''}
          aria-label={w.link}
          aria-busy={busy}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          class="primary"
          disabled={!invite}
          onClick={() => invite && void copyText(linkOf(invite), words.copied)}
        >
          {words.copy}
        </button>
      </div>
      <form onSubmit={create}>
        <div class="pair">
          <SelectField label={w.expires} value={expires_in} options={EXPIRIES} onChange={setExpires} />
          <SelectField label={w.uses} value={max_uses} options={USES} onChange={setUses} />
        </div>
        <div class="pair">
          <SelectField label={w.membership} value={kind} options={MEMBERSHIPS} onChange={setKind} />
          {roles.length > 0 ? (
            <SelectField label={w.role} value={roleId} options={[[0, w.noRole], ...roles]} onChange={setRole} />
          ) : null}
        </div>
        {state.may(server_id, 'manage_server') ? <Switch label={w.guests} on={guest} onChange={setGuest} /> : null}
        <Refusal error={error} />
        <div class="footer">
          <button disabled={busy}>{w.another}</button>
        </div>
      </form>
    </Dialog>
  )
}

const GivenRole = ({ role }: { role: Role | undefined }) =>
  role ? (
    <>
      {' '}
      · {w.role}: <bdi>{withoutBidi(role.name)}</bdi>
    </>
  ) : null

/** The valid invites of a server. */
export const Invites = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => fetchInvites(client, store, server_id)), [server_id])
  const invites = [...state.invites.values()].filter((invite) => invite.server_id === server_id)
  const make = state.may(server_id, 'create_invite') ? (
    <button type="button" class="primary" onClick={() => showDialog(() => <NewInvite server_id={server_id} />)}>
      {w.make}
    </button>
  ) : null
  return (
    <>
      <Refusal error={error} />
      {invites.length === 0 ? (
        <Empty icon="link" title={w.none} text={w.noneText}>
          {make}
        </Empty>
      ) : (
        <p>{make}</p>
      )}
      <ul class="table">
        {invites.map((invite) => (
          <li key={invite.id} class="row">
            <span>
              <code>{invite.code}</code>
              <small>
                {w.by(nameOf(invite.creator_id))} · {w.used({ uses: invite.uses, max: invite.max_uses })} ·{' '}
                {invite.expires_at === null ? w.forever : w.until(momentOf(invite.expires_at))}
                {invite.temporary === null ? null : ` · ${w[invite.temporary]}`}
                {invite.guest ? ` · ${w.guests}` : ''}
                <GivenRole role={state.roles.get(invite.role_id ?? 0)} />
              </small>
            </span>
            <button type="button" onClick={() => void copyText(linkOf(invite), words.copied)}>
              {words.copy}
            </button>
            <IconButton
              icon="trash"
              size={18}
              label={w.delete}
              onClick={() => void attempt(() => call('DELETE /api/invites/:invite', { invite: invite.id }))}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
