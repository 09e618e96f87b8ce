import { useEffect } from 'preact/hooks'
import type { Server } from '../../../features/access/model.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'

const CHOICES = ['required', 'preferred', 'off'] as const

interface EncryptionFieldProps {
  server_id: number
  value: Server['calls_encryption']
  onChange: (value: Server['calls_encryption']) => void
}

/** The encryption of the server's calls; nothing without voice channels, or where the installation encrypts none. */
export const EncryptionField = ({ server_id, value, onChange }: EncryptionFieldProps) => {
  const { label, choices, hints } = settingsWords.callsEncryption
  useEffect(askOffers, [])
  if (offers.value?.call_encryption !== 'preferred') return null
  if (!state.channelsOf(server_id).some(({ type }) => type === 'voice')) return null
  return (
    <SelectField
      label={label}
      value={value}
      options={CHOICES.map((choice) => [choice, choices[choice]])}
      onChange={onChange}
      hint={hints[value]}
    />
  )
}
