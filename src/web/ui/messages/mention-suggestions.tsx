import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { nameOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'

const SUGGESTED_MAX = 6

/** Who was chosen, by the name that stands in the text. */
const chosen = new Map<string, number>()

/** What Tab and Enter put in, while something is suggested. */
export const suggested = signal<((text: string) => string) | undefined>(undefined)

/** The text as it is sent: names that were chosen become `<@id>`. */
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

/** Members whose name goes on as the text does after its last @. */
export const Suggestions = ({ channel, text, onPick }: SuggestionsProps) => {
  const begun = channel && /(?:^|\s)@([^\s@]*)$/.exec(text)?.[1]?.toLowerCase()
  const ids = channel && begun !== undefined ? [...(state.members.get(channel.server_id)?.keys() ?? [])] : []
  const found = ids
    .filter((id) =>
      nameOf(id)
        .toLowerCase()
        .includes(begun ?? ''),
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
