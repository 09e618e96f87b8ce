import type { TargetedKeyboardEvent } from 'preact'
import type { ForumTag } from '../../../features/access/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { Emoji } from '../emoji/emoji.tsx'

const Label = ({ tag }: { tag: ForumTag }) => (
  <>
    {tag.emoji === null ? null : <Emoji emoji={tag.emoji} />}
    <bdi>{withoutBidi(tag.name)}</bdi>
  </>
)

/** The tags of a post, in the order of the forum. */
export const TagLine = ({ tags, ids }: { tags: ForumTag[]; ids: number[] }) => {
  const own = tags.filter(({ id }) => ids.includes(id))
  if (own.length === 0) return null
  return (
    <ul class="tags">
      {own.map((tag) => (
        <li key={tag.id} class="tag">
          <Label tag={tag} />
        </li>
      ))}
    </ul>
  )
}

/** Moves the focus among the buttons of a group by the arrow keys, Home and End. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const isLeft = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at + 1, [isLeft]: at - 1, Home: 0, End: -1 }
  const next = steps[event.key]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  buttons.at(next % buttons.length)?.focus()
}

interface TagChoiceProps {
  label: string
  tags: ForumTag[]
  chosen: number[]
  /** True if the account may not choose this tag. */
  isBarred?: (tag: ForumTag) => boolean
  onToggle: (id: number) => void
}

/** Buttons that choose tags. One of them is in the order of Tab; arrow keys go to the others. */
export const TagChoice = ({ label, tags, chosen, isBarred = () => false, onToggle }: TagChoiceProps) => {
  const free = tags.filter((tag) => !isBarred(tag))
  const first = free.find(({ id }) => chosen.includes(id)) ?? free[0]
  return (
    <div class="tags" role="group" aria-label={label} onKeyDown={moveFocus}>
      {tags.map((tag) => (
        <button
          key={tag.id}
          type="button"
          class="tag"
          aria-pressed={chosen.includes(tag.id)}
          disabled={isBarred(tag)}
          tabIndex={tag.id === first?.id ? 0 : -1}
          onClick={() => onToggle(tag.id)}
        >
          <Label tag={tag} />
        </button>
      ))}
    </div>
  )
}
