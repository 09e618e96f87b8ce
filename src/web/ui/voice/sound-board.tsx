import { useEffect, useState } from 'preact/hooks'
import type { Sound } from '../../../features/sounds/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, gateway } from '../../state/session.ts'
import { callWords } from '../../words/call.ts'
import { neverPlays, setNeverPlays, setSoundVolume, soundVolume } from '../../voice/sounds.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Switch } from '../kit/dialog-forms.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'

const says = callWords.sounds
/** All sounds of a server fit on one page. */
const PAGE = 100

/** The sounds of a server, which a click plays to everybody in the call, and one's own volume of all sounds. */
export const SoundBoard = ({ server_id }: { server_id: number }) => {
  const [sounds, setSounds] = useState<Sound[]>()
  const { attempt, error } = useAttempt()
  useEffect(() => {
    const path = { server_id, limit: PAGE }
    void attempt(() => call('GET /api/servers/:server_id/sounds', path)).then((all) => setSounds(all ?? []))
  }, [server_id])
  const play = (sound_id: number) => attempt(() => gateway.command('voice.sound', { sound_id }))
  return (
    <Dialog title={says.open} onClose={closeDialog} class="small">
      {sounds?.length === 0 && !error ? <Empty icon="voice" title={says.none} text={says.noneText} /> : null}
      <ul class="sound-board" aria-busy={sounds === undefined}>
        {sounds?.map(({ id, name, emoji }) => (
          <li key={id}>
            <button type="button" aria-label={says.play(withoutBidi(name))} onClick={() => void play(id)}>
              {emoji === null ? <Icon name="voice" size={18} /> : <span aria-hidden="true">{emoji}</span>}
              <bdi>{withoutBidi(name)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
      <label class="volume">
        <Icon name="voice" size={18} />
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={soundVolume.value}
          aria-valuetext={`${Math.round(soundVolume.value * 100)} %`}
          aria-label={says.volume}
          disabled={neverPlays.value}
          onInput={(event) => setSoundVolume(Number(event.currentTarget.value))}
        />
      </label>
      <Switch label={says.never} on={neverPlays.value} onChange={setNeverPlays} />
      <p class="quiet">{says.neverHint}</p>
    </Dialog>
  )
}
