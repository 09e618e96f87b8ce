import { useLayoutEffect, useState } from 'preact/hooks'
import type { Onboarding } from '../../../features/arrival/model.ts'
import type { Role } from '../../../features/roles/model.ts'
import { expectMember } from '../../state/expected.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { ChannelChoices, choosableIn } from './channel-choices.tsx'
import { Questions } from './questions.tsx'

/** The choices of a member in a server: its answers, roles that it gives to itself, and channels that it lists. */
export const Choices = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const { attempt, error } = useAttempt()
  const [onboarding, setOnboarding] = useState<Onboarding>()
  useLayoutEffect(() => {
    void attempt(async () => setOnboarding(await call('GET /api/servers/:server_id/onboarding', { server_id })))
  }, [server_id])
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && role.self_assignable)
    .toSorted((a, b) => b.position - a.position)
  const isLimited = state.heldBackIn(server_id) !== null || state.timedOutUntil(server_id) !== null
  const isBrowsing = choosableIn(server_id).length > 0
  const isEmpty = roles.length === 0 && !isBrowsing && onboarding?.questions.length === 0
  const choose = async (option_ids: number[]) => {
    if (!onboarding) return
    setOnboarding({ ...onboarding, option_ids })
    const path = 'PUT /api/servers/:server_id/members/@me/onboarding'
    const next = await attempt(() => call(path, { server_id }, { option_ids }))
    setOnboarding(next ?? onboarding)
  }
  return (
    <Dialog title={arrivalWords.choices} onClose={closeDialog} class="small">
      {isEmpty ? <Empty icon="check" title={arrivalWords.nothing} text={arrivalWords.nothingText} /> : null}
      {isLimited && !isEmpty ? <p class="quiet">{arrivalWords.mayNotChoose}</p> : null}
      {onboarding ? (
        <Questions
          questions={onboarding.questions}
          chosenIds={onboarding.option_ids}
          disabled={isLimited}
          onChange={(ids) => void choose(ids)}
        />
      ) : null}
      <Refusal error={error} />
      {roles.length === 0 ? null : (
        <>
          <h3>{arrivalWords.pick}</h3>
          {isLimited ? null : <p class="quiet">{arrivalWords.pickHint}</p>}
          <RoleChoices server_id={server_id} roles={roles} disabled={isLimited} />
        </>
      )}
      {isBrowsing ? (
        <>
          <h3>{arrivalWords.browse}</h3>
          <p class="quiet">{arrivalWords.browseHint}</p>
          <ChannelChoices server_id={server_id} />
        </>
      ) : null}
    </Dialog>
  )
}

interface RoleChoicesProps {
  server_id: number
  roles: Role[]
  disabled: boolean
}

const RoleChoices = ({ server_id, roles, disabled }: RoleChoicesProps) => {
  const { attempt, error } = useAttempt()
  const [pending, setPending] = useState<number>()
  const heldIds = state.members.get(server_id)?.get(state.me())?.role_ids ?? []
  const toggle = async (role_id: number, has: boolean) => {
    const role_ids = has ? heldIds.filter((id) => id !== role_id) : [...heldIds, role_id]
    const path = '/api/servers/:server_id/members/@me/roles/:role_id'
    setPending(role_id)
    await attempt(() =>
      expectMember(server_id, state.me(), { role_ids }, async () => {
        if (has) await call(`DELETE ${path}`, { server_id, role_id })
        else await call(`PUT ${path}`, { server_id, role_id })
      }),
    )
    setPending(undefined)
  }
  return (
    <>
      <ul class="chips">
        {roles.map((role) => (
          <li key={role.id}>
            <label style={{ '--tint': role.color ?? undefined }}>
              <input
                type="checkbox"
                checked={heldIds.includes(role.id)}
                disabled={disabled || pending === role.id}
                onChange={() => void toggle(role.id, heldIds.includes(role.id))}
              />
              <bdi>{withoutBidi(role.name)}</bdi>
            </label>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
    </>
  )
}
