import { useEffect, useState } from 'preact/hooks'
import type { Invite } from '../../../features/invites/model.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { momentOf } from '../../state/format.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { IconButton } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const EXPIRIES = [1800, 3600, 86_400, 604_800, 2_592_000, 0].map((s) => [s, dialogWords.invite.after(s)] as const)
const USES = [0, 1, 5, 10, 25, 100].map((uses) => [uses, dialogWords.invite.times(uses)] as const)

/** The newest invite that this page has made, by server. */
const lastInvites = new Map<number, Invite>()

/** The link that opens an invite. */
export const linkOf = (invite: Invite): string => `${location.origin}/invite/${invite.code}`

/** The dialog that creates an invite link. */
export const NewInvite = ({ server_id }: { server_id: number }) => {
  const [expires_in, setExpires] = useState(86_400)
  const [max_uses, setUses] = useState(0)
  const [invite, setInvite] = useState<Invite>()
  const { attempt, busy, error } = useAttempt()
  const create = async (event?: Event) => {
    event?.preventDefault()
    const created = await attempt(() => call('POST /api/invites', {}, { server_id, expires_in, max_uses }))
    setInvite(created)
    if (created) lastInvites.set(server_id, created)
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
          aria-label={dialogWords.invite.link}
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
          <SelectField label={dialogWords.invite.expires} value={expires_in} options={EXPIRIES} onChange={setExpires} />
          <SelectField label={dialogWords.invite.uses} value={max_uses} options={USES} onChange={setUses} />
        </div>
        <Refusal error={error} />
        <div class="footer">
          <button disabled={busy}>{dialogWords.invite.another}</button>
        </div>
      </form>
    </Dialog>
  )
}

/** The valid invites of a server. */
export const Invites = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => loader.invites(server_id)), [server_id])
  const invites = [...state.invites.values()].filter((invite) => invite.server_id === server_id)
  const make = state.may(server_id, 'create_invite') ? (
    <button type="button" class="primary" onClick={() => showDialog(() => <NewInvite server_id={server_id} />)}>
      {dialogWords.invite.make}
    </button>
  ) : null
  return (
    <>
      <Refusal error={error} />
      {invites.length === 0 ? (
        <Empty icon="link" title={dialogWords.invite.none} text={dialogWords.invite.noneText}>
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
                {dialogWords.invite.by(nameOf(invite.creator_id))} ·{' '}
                {dialogWords.invite.used({ uses: invite.uses, max: invite.max_uses })} ·{' '}
                {invite.expires_at === null
                  ? dialogWords.invite.forever
                  : dialogWords.invite.until(momentOf(invite.expires_at))}
              </small>
            </span>
            <button type="button" onClick={() => void copyText(linkOf(invite), words.copied)}>
              {words.copy}
            </button>
            <IconButton
              icon="trash"
              size={18}
              label={dialogWords.invite.delete}
              onClick={() => void attempt(() => call('DELETE /api/invites/:invite', { invite: invite.id }))}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
