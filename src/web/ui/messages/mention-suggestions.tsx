import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { nameOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'

const SUGGESTED_MAX = 6

/** The ids of the accounts that were chosen, by name. */
const chosen = new Map<string, number>()

/** Completes the text with the first suggestion; undefined without suggestions. */
export const suggested = signal<((text: string) => string) | undefined>(undefined)

/** The text to send: every chosen `@name` becomes `<@id>`. */
export function withIds(text: string): string {
  for (const [name, id] of [...chosen].toSorted(([a], [b]) => b.length - a.length))
    text = text.replaceAll(`@${name}`, `<@${id}>`)
  return text
}

function pickOf(id: number): (text: string) => string {
  return (text) => {
    const name = nameOf(id)
    chosen.set(name, id)
    return text.replace(/@[^\s@]*$/, `@${name} `)
  }
}

interface SuggestionsProps {
  channel: Channel | undefined
  text: string
  onPick: (text: string) => void
}

/** Suggests members whose name contains the text after the last @. */
export const Suggestions = ({ channel, text, onPick }: SuggestionsProps) => {
  const prefix = channel && /(?:^|\s)@([^\s@]*)$/.exec(text)?.[1]?.toLowerCase()
  const ids = channel && prefix !== undefined ? [...(state.members.get(channel.server_id)?.keys() ?? [])] : []
  const found = ids
    .filter((id) =>
      nameOf(id)
        .toLowerCase()
        .includes(prefix ?? ''),
    )
    .slice(0, SUGGESTED_MAX)
  const first = found[0]
  useEffect(() => {
    suggested.value = first === undefined ? undefined : pickOf(first)
  }, [first, text])
  if (found.length === 0) return null
  return (
    <ul class="suggestions" aria-label={words.composer.mention}>
      {found.map((id, at) => (
        <li key={id}>
          <button type="button" class={`row ${at === 0 ? 'here' : ''}`} onClick={() => onPick(pickOf(id)(text))}>
            <Avatar id={id} size={24} />
            <bdi>{nameOf(id)}</bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}
