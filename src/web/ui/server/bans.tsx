import type { Ban } from '../../../features/members/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { dateOf, momentOf } from '../../state/format.ts'
import { moderationWords } from '../../words/moderation.ts'
import { settingsWords } from '../../words/settings.ts'
import { Picture } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Pages, usePages } from '../kit/pages.tsx'

/** The banned accounts of a server, with the reasons. */
export const Bans = ({ server_id }: { server_id: number }) => {
  const list = usePages<Ban>(
    (page, last) => call('GET /api/servers/:server_id/bans', { server_id, ...page, after: last?.user.id ?? 0 }),
    server_id,
  )
  const { attempt, error } = useAttempt()
  const unban = (user_id: number) =>
    attempt(async () => {
      await call('DELETE /api/servers/:server_id/bans/:user_id', { server_id, user_id })
      list.drop(({ user }) => user.id === user_id)
    })
  return (
    <>
      <Refusal error={error} />
      <Pages
        list={list}
        empty={<Empty icon="lock" title={settingsWords.bans.none} text={settingsWords.bans.noneText} />}
      >
        {list.rows.map(({ user, reason, until, created_at }) => (
          <li key={user.id} class="row person">
            <Picture id={user.id} name={user.display_name} file_id={user.avatar_file_id} size={36} />
            <span>
              <bdi>{withoutBidi(user.display_name)}</bdi>
              <small>
                {dateOf(created_at)}
                {until ? ` · ${moderationWords.until(momentOf(until))}` : ''}
                {reason ? ` · ${reason}` : ''}
              </small>
            </span>
            <button type="button" onClick={() => void unban(user.id)}>
              {settingsWords.bans.unban}
            </button>
          </li>
        ))}
      </Pages>
    </>
  )
}
