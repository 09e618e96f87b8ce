import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'

const says = settingsWords.channels
const LIMIT_MAX = 99
/** Bits per second that are offered; null: the browser decides. */
const OFFERED = [null, 8_000, 16_000, 32_000, 64_000, 96_000, 128_000, 256_000, 384_000]

export interface VoiceLimits {
  user_limit: number | null
  bitrate: number | null
}

interface VoiceFieldsProps {
  value: VoiceLimits
  onChange: (value: VoiceLimits) => void
}

/** The fields that only voice channels have. Also offers the bitrate that is set. */
export const VoiceFields = ({ value, onChange }: VoiceFieldsProps) => (
  <>
    <label class="field">
      <span>{says.userLimit}</span>
      <input
        type="number"
        min={1}
        max={LIMIT_MAX}
        value={value.user_limit ?? ''}
        onInput={({ currentTarget }) => {
          const limit = currentTarget.valueAsNumber
          onChange({ ...value, user_limit: Number.isNaN(limit) ? null : limit })
        }}
      />
      <small>{says.userLimitHint}</small>
    </label>
    <SelectField
      label={says.bitrate}
      value={value.bitrate ?? 0}
      options={[...new Set([...OFFERED, value.bitrate])]
        .map((bits) => bits ?? 0)
        .toSorted((a, b) => a - b)
        .map((bits) => [bits, bits === 0 ? says.bitrateAuto : says.kilobits(bits / 1000)])}
      onChange={(bits) => onChange({ ...value, bitrate: bits === 0 ? null : bits })}
    />
  </>
)
