import { call, follow, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { stageWords } from '../../words/stages.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'

/** True if the account moderates the stage. */
export const moderatesStage = (channel: ServerChannel): boolean =>
  (['mute_members', 'move_members', 'manage_channels'] as const).every((bit) => state.mayIn(channel, bit))

const showTopic = (channelId: number): void =>
  void showLater(async () => {
    const { StageTopic } = await import('./stage-topic.tsx')
    return () => <StageTopic channel_id={channelId} />
  })

/** The topic of a stage, and the moderators' buttons for it. */
export const StageHead = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const { attempt, error, busy } = useAttempt()
  const { id: channel_id, stage } = channel
  const mayModerate = moderatesStage(channel)
  if (!stage && !mayModerate) return null
  const end = () => attempt(() => call('DELETE /api/channels/:channel_id/stage', { channel_id }))
  return (
    <header class="stage-head">
      {stage ? (
        <h2>
          <Icon name="stage" size={18} />
          <bdi>{stage.topic}</bdi>
        </h2>
      ) : (
        <button type="button" class="secondary" onClick={() => showTopic(channel_id)}>
          <Icon name="stage" size={18} />
          {stageWords.start}
        </button>
      )}
      {stage && mayModerate ? (
        <>
          <IconButton icon="edit" label={stageWords.edit} onClick={() => showTopic(channel_id)} />
          <IconButton icon="close" label={stageWords.end} disabled={busy} onClick={() => void end()} />
        </>
      ) : null}
      <Refusal error={error} />
    </header>
  )
}
