import { CALL_ACTS, type CallAct, chordOf, partsOfChord } from '../../voice/call-keys.ts'
import { changeTalk, talkSettings } from '../../voice/talk-settings.ts'
import { callWords } from '../../words/call.ts'
import { talkWords } from '../../words/talk.ts'
import { KeyButton } from './key-button.tsx'

/** The shortcuts during a call. A key assigned to one action is removed from the action that had it. */
export const CallKeysForm = () => {
  const { keys } = talkSettings.value
  const give = (act: CallAct, chord: string) => {
    const freedActs = CALL_ACTS.filter((name) => keys[name] === chord).map((name) => [name, ''])
    changeTalk({ keys: { ...keys, ...Object.fromEntries(freedActs), [act]: chord } })
  }
  const take = (act: CallAct, event: KeyboardEvent): boolean => {
    if (event.code === 'Backspace' || event.code === 'Delete') {
      give(act, '')
      return true
    }
    const chord = chordOf(event)
    if (chord !== '') give(act, chord)
    return chord !== ''
  }
  return (
    <fieldset class="field for-keys">
      <legend>{talkWords.keys}</legend>
      {CALL_ACTS.map((act) => (
        <KeyButton
          key={act}
          label={callWords[act]}
          keyText={keys[act] === '' ? talkWords.noKey : partsOfChord(keys[act]).join(' + ')}
          onKey={(event) => take(act, event)}
        />
      ))}
      <small class="quiet">{talkWords.keysText}</small>
    </fieldset>
  )
}
