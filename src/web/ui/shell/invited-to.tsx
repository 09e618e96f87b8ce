import { useEffect, useState } from 'preact/hooks'
import type { InvitePreview } from '../../../features/invites/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { returnInviteCode } from '../../state/route.ts'
import { call } from '../../state/session.ts'
import { firstWords } from '../../words/first-steps.ts'
import { UrlPicture } from '../kit/url-picture.tsx'

/** The server that a person joins after registering or logging in: it stays in view from its invite on. */
export const InvitedTo = () => {
  const [preview, setPreview] = useState<InvitePreview>()
  const code = returnInviteCode()
  useEffect(() => {
    // An invite that is over says so on its own page.
    if (code !== undefined) call('GET /api/invites/:invite', { invite: code }).then(setPreview, () => {})
  }, [code])
  if (!preview) return null
  const { id, name, icon_url } = preview.server
  return (
    <p class="invited-to">
      <UrlPicture url={icon_url} id={id} name={name} size={40} />
      <span>{firstWords.register.invited(withoutBidi(name))}</span>
    </p>
  )
}
