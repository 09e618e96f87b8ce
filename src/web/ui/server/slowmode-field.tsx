import type { ServerChannel } from '../../state/state.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { SelectField } from '../kit/dialog-forms.tsx'

/** The slowmodes that are offered, in seconds. */
const OFFERED = [0, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600]

interface SlowmodeFieldProps {
  label?: string
  channel: Pick<ServerChannel, 'slowmode_seconds'>
  /** Seconds. */
  value: number
  onChange: (seconds: number) => void
}

/** Chooses the slowmode of a channel or thread; also offers the one that is set. */
export const SlowmodeField = ({ label = dialogWords.slowmode.label, channel, value, onChange }: SlowmodeFieldProps) => (
  <SelectField
    label={label}
    value={value}
    options={[...new Set([...OFFERED, channel.slowmode_seconds])]
      .toSorted((a, b) => a - b)
      .map((each) => [each, dialogWords.slowmode.of(each)])}
    onChange={onChange}
  />
)
