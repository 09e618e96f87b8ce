import { useEffect, useState } from 'preact/hooks'
import type { Feed } from '../../../features/calendar/model.ts'
import { dateOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { eventWords } from '../../words/events.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { FeedAddress } from './feed-address.tsx'

/** The calendar feeds of the account: each can get a new address, or be removed. */
export const OwnFeeds = () => {
  follow('shell')
  const [feeds, setFeeds] = useState<Feed[]>()
  const [issued, setIssued] = useState<{ id: number; url: string }>()
  const { attempt, busy, error } = useAttempt()
  const load = () => attempt(() => call('GET /api/calendar/feeds')).then((rows) => rows && setFeeds(rows))
  useEffect(() => void load(), [])
  const renew = async (feed_id: number) => {
    const feed = await attempt(() => call('POST /api/calendar/feeds/:feed_id/renew', { feed_id }, {}))
    if (feed) setIssued(feed)
  }
  const remove = async (feed_id: number) => {
    await attempt(() => call('DELETE /api/calendar/feeds/:feed_id', { feed_id }))
    await load()
  }
  const nameOf = (id: number) => withoutBidi((state.servers.get(id) ?? state.listed.get(id))?.name ?? '…')
  return (
    <>
      <p>{feeds?.length === 0 ? eventWords.noFeeds : eventWords.feedsText}</p>
      <Refusal error={error} />
      <ul class="table">
        {feeds?.map(({ id, server_id, created_at }) => (
          <li key={id}>
            <div class="row">
              <span>
                <strong>
                  <bdi>{server_id === null ? eventWords.ofAll : nameOf(server_id)}</bdi>
                </strong>
                <small>{eventWords.created(dateOf(created_at))}</small>
              </span>
              <button type="button" disabled={busy} onClick={() => void renew(id)}>
                {eventWords.replace}
              </button>
              <button type="button" disabled={busy} onClick={() => void remove(id)}>
                {eventWords.remove}
              </button>
            </div>
            {issued?.id === id ? <FeedAddress url={issued.url} /> : null}
          </li>
        ))}
      </ul>
    </>
  )
}
