import { useState } from 'preact/hooks'
import { onDevice } from '../../state/stored.ts'
import { settingsWords } from '../../words/settings.ts'
import { applyLooks, LOOKS, storedLooks } from './looks.ts'

const says = settingsWords.settings
/** Sizes of the text of messages, px; the style sheet has a class for each but the usual one. */
const [PX_MIN, PX_USUAL, PX_MAX] = [12, 15, 20]

/** How messages look in this browser: their density and the size of their text. */
export const LooksForm = () => {
  const [isCompact, setCompact] = useState(/\bcompact\b/.test(storedLooks()))
  const [px, setPx] = useState(Number(/\btext-(\d+)\b/.exec(storedLooks())?.[1] ?? PX_USUAL))
  const choose = (isNowCompact: boolean, nextPx: number) => {
    setCompact(isNowCompact)
    setPx(nextPx)
    onDevice.setItem(LOOKS, `${isNowCompact ? 'compact ' : ''}${nextPx === PX_USUAL ? '' : `text-${nextPx}`}`)
    applyLooks()
  }
  return (
    <>
      <fieldset class="choices column">
        <legend>{says.density}</legend>
        {(['cosy', 'compact'] as const).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="density"
              checked={isCompact === (name === 'compact')}
              onChange={() => choose(name === 'compact', px)}
            />
            {says.densities[name]}
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{says.textSize}</span>
        <input
          type="range"
          min={PX_MIN}
          max={PX_MAX}
          step={1}
          value={px}
          onInput={({ currentTarget }) => choose(isCompact, Number(currentTarget.value))}
        />
        <small aria-hidden="true">{px}</small>
      </label>
    </>
  )
}
