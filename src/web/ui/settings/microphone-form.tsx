import { chooseDevice } from '../../voice/current-call.ts'
import { chosenDevice } from '../../voice/devices.ts'
import { changeTalk, type TalkSettings, talkSettings } from '../../voice/talk-settings.ts'
import { talkWords } from '../../words/talk.ts'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'

const NOISES = ['off', 'browser', 'rnnoise'] as const

/** Changes the processing of the audio, also in a running call. */
function change(settings: Partial<TalkSettings>): void {
  changeTalk(settings)
  void chooseDevice('audioinput', chosenDevice('audioinput'))
}

/** Processing of the microphone's audio before others hear it. */
export const MicrophoneForm = () => {
  const { echo, noise, gain, music } = talkSettings.value
  return (
    <>
      <Switch label={talkWords.music} on={music} onChange={(on) => change({ music: on })} />
      <small class="quiet">{talkWords.musicText}</small>
      {music ? null : (
        <>
          <SelectField
            label={talkWords.noise}
            value={noise}
            options={NOISES.map((name) => [name, talkWords.noises[name]])}
            onChange={(name) => change({ noise: name })}
          />
          <Switch label={talkWords.echo} on={echo} onChange={(on) => change({ echo: on })} />
          <Switch label={talkWords.gain} on={gain} onChange={(on) => change({ gain: on })} />
        </>
      )}
    </>
  )
}
