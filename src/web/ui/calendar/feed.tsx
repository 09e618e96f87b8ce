import { useState } from 'preact/hooks'
import { call } from '../../state/session.ts'
import { eventWords } from '../../words/events.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { FeedAddress } from '../settings/feed-address.tsx'

/** Opens the address from which a calendar program reads the events of a server. */
export const showFeed = (serverId: number) => showDialog(() => <FeedDialog server_id={serverId} />)

const FeedDialog = ({ server_id }: { server_id: number }) => {
  const [url, setUrl] = useState('')
  const { attempt, busy, error } = useAttempt()
  const make = async (of: number | null) => {
    const feed = await attempt(() => call('POST /api/calendar/feeds', {}, { server_id: of }))
    if (feed) setUrl(feed.url)
  }
  return (
    <Dialog title={eventWords.subscribe} onClose={closeDialog} class="small">
      <div>
        <p>{eventWords.subscribeText}</p>
        {url === '' ? (
          <div class="choices">
            <button type="button" disabled={busy} onClick={() => void make(server_id)}>
              {eventWords.ofServer}
            </button>
            <button type="button" disabled={busy} onClick={() => void make(null)}>
              {eventWords.ofAll}
            </button>
          </div>
        ) : (
          <FeedAddress url={url} />
        )}
        <Refusal error={error} />
      </div>
    </Dialog>
  )
}
