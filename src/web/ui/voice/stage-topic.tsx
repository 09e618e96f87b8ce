import { useState } from 'preact/hooks'
import { call, state } from '../../state/session.ts'
import { stageWords } from '../../words/stages.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const TOPIC_LENGTH_MAX = 120

/** The dialog that starts a stage with a topic, or changes the topic. */
export const StageTopic = ({ channel_id }: { channel_id: number }) => {
  const [now] = useState(() => state.channels.get(channel_id)?.stage)
  const [topic, setTopic] = useState(now?.topic ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(topic, busy)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const path = `${now ? 'PUT' : 'POST'} /api/channels/:channel_id/stage` as const
    if (await attempt(() => call(path, { channel_id }, { topic }))) closeThis()
  }
  return (
    <Dialog title={now ? stageWords.edit : stageWords.start} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={stageWords.topic}
          value={topic}
          onInput={setTopic}
          maxLength={TOPIC_LENGTH_MAX}
          required
          autofocus
        />
        <Refusal error={error} />
        <FormFooter submit={now ? words.save : stageWords.startNow} busy={busy} />
      </form>
    </Dialog>
  )
}
