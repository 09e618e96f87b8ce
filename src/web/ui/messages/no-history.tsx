import { useEffect } from 'preact/hooks'
import { placeKey } from '../../client/outbox.ts'
import { follow, loader, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { dialogWords } from '../../words/dialogs.ts'

/** Shown while the account lacks read_history; loads the timeline once it is granted. */
export const NoHistory = ({ place, title }: { place: ChannelPlace; title: string }) => {
  follow('shell')
  const channel = state.channels.get(place.channel_id)
  const mayRead = channel !== undefined && state.mayIn(channel, 'read_history')
  useEffect(() => {
    const isBarred = () => state.timelines.get(placeKey(place))?.barred === true
    const fetch = async () => {
      // The first answer may be to a request from before the permission was granted.
      for (let tries = 0; tries < 2 && isBarred(); tries++) await loader.openAtUnread(place)
    }
    if (mayRead) fetch().catch(() => {})
  }, [mayRead])
  return (
    <div class="beginning">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p class="quiet" role="status">
        {dialogWords.noHistory}
      </p>
    </div>
  )
}
