import { useEffect, useState } from 'preact/hooks'
import type { OwnStatus } from '../../../features/status/model.ts'
import { unicodeEmoji } from '../../../core/emoji.ts'
import { momentOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, state } from '../../state/session.ts'
import { soon } from '../../words/plural.ts'
import { statusWords } from '../../words/status.ts'
import { words } from '../../words/words.ts'
import { openPicker } from '../emoji/open-picker.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'

const CHOICES = ['online', 'idle', 'dnd', 'invisible'] as const
const TEXT_MAX = 128
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3_600, 86_400]
/** After which times a status can end, seconds; 0 for never. */
const ENDS_S = [0, 30 * MINUTE_S, HOUR_S, 4 * HOUR_S, DAY_S, 7 * DAY_S]
/** Stands for the time at which the present status ends. */
const AS_IT_IS = -1

/** The choice of the account's own status, and whose calls ring while it does not want to be disturbed. */
export const StatusDialog = () => {
  const before: OwnStatus = state.ownStatus ?? { status: 'online', text: null, emoji: null, until: null }
  const [status, setStatus] = useState(before.status)
  const [text, setText] = useState(before.text ?? '')
  const [emoji, setEmoji] = useState(before.emoji)
  const [endS, setEndS] = useState(before.until === null ? 0 : AS_IT_IS)
  const { attempt, busy, error } = useAttempt()
  const callers = useCallers(status === 'dnd')
  const untilOf = () => {
    if (endS === AS_IT_IS) return before.until
    return endS === 0 ? null : new Date(serverNow() + endS * 1000).toISOString()
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const own = { status, text: text.trim() || null, emoji, until: untilOf() }
    const isSaved = await attempt(async () => {
      await callers.save()
      await call('PUT /api/auth/status', {}, own)
      return true
    })
    if (isSaved) closeThis()
  }
  const ends: [number, string][] = ENDS_S.map((seconds) => [seconds, seconds === 0 ? statusWords.never : soon(seconds)])
  if (before.until !== null) ends.unshift([AS_IT_IS, momentOf(before.until)])
  return (
    <Dialog title={statusWords.title} onClose={closeDialog} class="small">
      <form onSubmit={save}>
        <fieldset class="statuses">
          <legend>{statusWords.choice}</legend>
          {CHOICES.map((choice) => (
            <label key={choice} class="check">
              <input type="radio" name="status" checked={status === choice} onChange={() => setStatus(choice)} />
              <span>
                {words.status[choice]}
                <small>{statusWords.about[choice]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="saying-fields">
          <EmojiButton emoji={emoji} choose={setEmoji} />
          <Field label={statusWords.text} value={text} onInput={setText} maxLength={TEXT_MAX} />
        </div>
        <SelectField label={statusWords.ends} value={endS} options={ends} onChange={setEndS} />
        {status === 'dnd' ? <Callers {...callers} /> : null}
        <Refusal error={error ?? callers.error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}

interface EmojiProps {
  emoji: string | null
  choose: (emoji: string | null) => void
}

/** Opens the picker; with an emoji, removes it. */
const EmojiButton = ({ emoji, choose }: EmojiProps) => {
  // A custom emoji belongs to a server, which not everybody who sees the status is in.
  const pick = (picked: string) => void (unicodeEmoji(picked) && choose(picked))
  const label = emoji === null ? statusWords.emoji : statusWords.noEmoji(emoji)
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => (emoji === null ? void openPicker(undefined, pick) : choose(null))}
    >
      {emoji ?? <Icon name="smile" />}
    </button>
  )
}

/** The chosen friends, read when they are first shown. */
function useCallers(isShown: boolean) {
  const [saved, setSaved] = useState<number[]>()
  const [chosen, setChosen] = useState<number[]>([])
  const { attempt, error } = useAttempt()
  useEffect(() => {
    if (!isShown || saved) return
    void attempt(() => call('GET /api/auth/status/callers')).then((answer) => {
      if (!answer) return
      setSaved(answer.user_ids)
      setChosen(answer.user_ids)
    })
  }, [isShown])
  const save = async () => {
    if (!saved || [...saved].sort().join() === [...chosen].sort().join()) return
    setSaved((await call('PUT /api/auth/status/callers', {}, { user_ids: chosen })).user_ids)
  }
  return { chosen, isLoaded: saved !== undefined, setChosen, save, error }
}

type CallersProps = Pick<ReturnType<typeof useCallers>, 'chosen' | 'isLoaded' | 'setChosen'>

const Callers = ({ chosen, isLoaded, setChosen }: CallersProps) => {
  const friendIds = [...state.relations].flatMap(([id, relation]) => (relation.state === 'friends' ? id : []))
  if (!isLoaded || friendIds.length === 0) return null
  const byName = friendIds.map((id) => ({ id, name: nameOf(id) })).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <fieldset class="statuses callers">
      <legend>{statusWords.callers}</legend>
      {byName.map(({ id, name }) => (
        <Switch
          key={id}
          label={name}
          on={chosen.includes(id)}
          onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  )
}
