import { eventWords } from '../../words/events.ts'
import { copyText } from '../kit/clipboard.ts'

/** The address of a feed, which is shown only this once. */
export const FeedAddress = ({ url }: { url: string }) => (
  <>
    <input
      readOnly
      value={url}
      aria-label={eventWords.address}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
    <button type="button" onClick={() => void copyText(url, eventWords.copied)}>
      {eventWords.copy}
    </button>
    <p class="quiet">{eventWords.once}</p>
  </>
)
