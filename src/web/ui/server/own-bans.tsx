import { useEffect, useState } from 'preact/hooks'
import type { OwnBan } from '../../../features/members/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'

/** The servers that the account is banned from, with the reasons and the contacts for appeals. */
export const OwnBans = () => {
  const [bans, setBans] = useState<OwnBan[]>([])
  useEffect(() => void call('GET /api/users/@me/bans', { limit: 100 }).then(setBans, () => {}), [])
  return (
    <ul class="table">
      {bans.map(({ server_id, server_name, reason, until, appeal_contact }) => (
        <li key={server_id}>
          <strong>
            <bdi>{withoutBidi(server_name)}</bdi>
          </strong>
          {until ? <small> {moderationWords.until(momentOf(until))}</small> : null}
          {reason ? <p dir="auto">{dialogWords.bans.because(withoutBidi(reason))}</p> : null}
          {appeal_contact ? <p>{moderationWords.appeal(withoutBidi(appeal_contact))}</p> : null}
        </li>
      ))}
    </ul>
  )
}
