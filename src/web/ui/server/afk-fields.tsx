import { titleOf } from '../../state/names.ts'
import type { Server } from '../../../features/access/model.ts'
import { state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'

const says = settingsWords.servers
const MINUTES: Server['afk_minutes'][] = [1, 5, 15, 30, 60]
const MINUTE_SECONDS = 60

export type AfkChoice = Pick<Server, 'afk_channel_id' | 'afk_minutes'>

interface AfkFieldsProps {
  server_id: number
  value: AfkChoice
  onChange: (value: AfkChoice) => void
}

/** The voice channel for idle members of calls, and when a member is idle; nothing without voice channels. */
export const AfkFields = ({ server_id, value, onChange }: AfkFieldsProps) => {
  const channels = state
    .channelsOf(server_id)
    .filter(({ type }) => type === 'voice')
    .map((each): [number, string] => [each.id, titleOf(each)])
  if (channels.length === 0) return null
  return (
    <>
      <SelectField
        label={says.afkChannel}
        value={value.afk_channel_id ?? 0}
        options={[[0, says.noAfkChannel], ...channels]}
        onChange={(id) => onChange({ ...value, afk_channel_id: id || null })}
      />
      {value.afk_channel_id === null ? null : (
        <SelectField
          label={says.afkAfter}
          value={value.afk_minutes}
          options={MINUTES.map((minutes) => [minutes, says.afkSpan(minutes * MINUTE_SECONDS)])}
          onChange={(afk_minutes) => onChange({ ...value, afk_minutes })}
          hint={says.afkHint}
        />
      )}
    </>
  )
}
