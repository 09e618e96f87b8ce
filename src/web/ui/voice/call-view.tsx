import { follow } from '../../state/session.ts'
import { followCall, isCallSmall, voicesIn } from '../../voice/shown-call.ts'
import { words } from '../../words/words.ts'
import { Later } from '../kit/later.tsx'
import { onSmallScreen } from '../kit/pane.tsx'

/**
 * The call of a channel, dark in both themes while it has members. On a phone, the account's own call fills the screen.
 * Its code is loaded when it is first shown.
 */
export const CallView = ({ channel_id }: { channel_id: number }) => {
  follow('voices')
  const isEmpty = voicesIn(channel_id).length === 0
  const isOwn = followCall()?.channel_id === channel_id
  const size = onSmallScreen.value && isOwn ? (isCallSmall.value ? 'small' : 'full') : ''
  return (
    <section class={`voice ${isEmpty ? 'nobody' : 'dark'} ${size}`} aria-label={words.voice.members}>
      <Later
        load={async () => {
          const { CallStage } = await import('./call-stage.tsx')
          return () => <CallStage channel_id={channel_id} />
        }}
      />
    </section>
  )
}
