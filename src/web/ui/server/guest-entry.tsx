import { useEffect, useRef, useState } from 'preact/hooks'
import { call, connectAccount } from '../../state/session.ts'
import { channelPath, go, rememberReturnPath } from '../../state/route.ts'
import { guestWords } from '../../words/guests.ts'
import { faultAt, Field, Refusal, useAttempt } from '../kit/forms.tsx'

/** Joins a server as a guest: only a name, and the channels open. */
export const GuestEntry = ({ code, server_id }: { code: string; server_id: number }) => {
  const [name, setName] = useState('')
  const { attempt, busy, error } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const fault = faultAt(error, 'display_name', 'name_taken')
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [error])
  const enter = async (event: Event) => {
    event.preventDefault()
    const body = { invite: code, display_name: name.trim() }
    const guest = await attempt(() => call('POST /api/auth/register/guest', {}, body))
    if (!guest) return
    rememberReturnPath(channelPath(server_id))
    await connectAccount()
    go(channelPath(server_id))
  }
  return (
    <form ref={form} onSubmit={enter} aria-label={guestWords.join}>
      <Field
        label={guestWords.name}
        value={name}
        onInput={setName}
        hint={guestWords.hint}
        fault={fault}
        autocomplete="nickname"
        maxLength={32}
        required
        autofocus
      />
      <Refusal error={fault === undefined ? error : undefined} />
      <button disabled={busy}>{guestWords.join}</button>
    </form>
  )
}
