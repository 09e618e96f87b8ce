import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Empty } from '../kit/empty.tsx'
import { showNewChannel } from '../server/show-server.tsx'

/** A server without a channel that the account sees. */
export const NoChannels = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const mayMake = state.may(server_id, 'manage_channels')
  return (
    <Empty icon="hash" title={words.channels.none} text={mayMake ? words.channels.noneToMake : words.channels.noneText}>
      {mayMake ? (
        <button type="button" class="primary" onClick={() => void showNewChannel({ server_id, type: 'text' })}>
          {words.channels.make.text}
        </button>
      ) : null}
    </Empty>
  )
}
