import { follow } from '../../state/session.ts'
import { voicesIn } from '../../voice/shown-call.ts'
import { words } from '../../words/words.ts'
import { Later } from '../kit/later.tsx'

/** The call of a channel, dark in both themes while it has members. Its code is loaded when it is first shown. */
export const CallView = ({ channel_id }: { channel_id: number }) => {
  follow('voices')
  const isEmpty = voicesIn(channel_id).length === 0
  return (
    <section class={`voice ${isEmpty ? 'nobody' : 'dark'}`} aria-label={words.voice.members}>
      <Later
        load={async () => {
          const { CallStage } = await import('./call-stage.tsx')
          return () => <CallStage channel_id={channel_id} />
        }}
      />
    </section>
  )
}
