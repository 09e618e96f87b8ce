import { useEffect, useState } from 'preact/hooks'
import type { Ban } from '../../../features/members/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { dateOf } from '../../state/format.ts'
import { settingsWords } from '../../words/settings.ts'
import { Picture } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The banned accounts of a server, with the reasons. */
export const Bans = ({ server_id }: { server_id: number }) => {
  const [bans, setBans] = useState<Ban[]>()
  const { attempt, error } = useAttempt()
  const load = () =>
    attempt(() => call('GET /api/servers/:server_id/bans', { server_id, limit: 100 })).then(
      (rows) => rows && setBans(rows),
    )
  useEffect(() => void load(), [server_id])
  const unban = async (user_id: number) => {
    await attempt(() => call('DELETE /api/servers/:server_id/bans/:user_id', { server_id, user_id }))
    await load()
  }
  return (
    <>
      <Refusal error={error} />
      {bans?.length === 0 ? (
        <Empty icon="lock" title={settingsWords.bans.none} text={settingsWords.bans.noneText} />
      ) : null}
      <ul class="table">
        {bans?.map(({ user, reason, created_at }) => (
          <li key={user.id} class="row person">
            <Picture id={user.id} name={user.display_name} file_id={user.avatar_file_id} size={36} />
            <span>
              <bdi>{withoutBidi(user.display_name)}</bdi>
              <small>
                {dateOf(created_at)}
                {reason ? ` · ${reason}` : ''}
              </small>
            </span>
            <button type="button" onClick={() => void unban(user.id)}>
              {settingsWords.bans.unban}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
