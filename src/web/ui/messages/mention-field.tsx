import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Composition, afterEdit, isInBlock } from '../../state/mentions.ts'
import type { CompletedField, Completion } from './completions.tsx'

interface MentionFieldProps extends CompletedField {
  label: string
  /** Receives the keys that the suggestions do not take. */
  onKeyDown: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent) => void
  placeholder?: string
}

/** A field for a message's text, which suggests people, roles and channels to mention, and emoji by their names. */
export const MentionField = (props: MentionFieldProps) => {
  const { value, onChange, channel, label, box, onKeyDown, ...attributes } = props
  const backdrop = useRef<HTMLDivElement>(null)
  const again = useFieldText(box, value)
  const [caret, setCaret] = useState<number>()
  const caretAfter = useRef<number | undefined>(undefined)
  // After the text is written, which moves the caret.
  useLayoutEffect(() => {
    if (caretAfter.current === undefined) return
    box.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    setCaret(caretAfter.current)
    caretAfter.current = undefined
  })
  const completion = useRef<Completion>(undefined)
  const Completions = useCompletions(caret)
  return (
    <div class="mention-field">
      {Completions ? <Completions {...props} caret={caret} caretAfter={caretAfter} completion={completion} /> : null}
      <div ref={backdrop} class="backdrop" aria-hidden="true" dir="auto">
        <Pieces value={value} />
      </div>
      {/* HTML allows it no role but textbox, which has no aria-expanded: that a list is open, aria-controls says. */}
      <textarea
        {...attributes}
        ref={box}
        rows={1}
        dir="auto"
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup={channel ? 'listbox' : undefined}
        onInput={(event) => {
          const { value: text, selectionEnd } = event.currentTarget
          // The field shows it already.
          if (text === value.text) return
          const input = afterEdit(value, text, selectionEnd)
          const isUndone = event.inputType?.startsWith('history')
          const composition = event.isComposing ? undefined : completion.current?.complete(input, selectionEnd)
          onChange(isUndone ? again(input) : (composition ?? input))
          setCaret(selectionEnd)
        }}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          setCaret(selectionStart === selectionEnd ? selectionEnd : undefined)
        }
        onBlur={() => setCaret(undefined)}
        onScroll={({ currentTarget }) => backdrop.current?.scrollTo(0, currentTarget.scrollTop)}
        onKeyDown={(event) => completion.current?.takeKey(event) || onKeyDown(event)}
      />
    </div>
  )
}

type Completions = typeof import('./completions.tsx').Completions
/** Loaded when a field is first written in, or behind the page. */
let Loaded: Completions | undefined

/** The code that suggests, once loaded. Each move of the caret retries a failed load. */
function useCompletions(caret: number | undefined): Completions | undefined {
  const [, redraw] = useState(Loaded !== undefined)
  useEffect(() => {
    if (Loaded || caret === undefined) return
    import('./completions.tsx').then(
      ({ Completions: part }) => {
        Loaded = part
        redraw(true)
      },
      () => {},
    )
  }, [caret])
  return Loaded
}

/** True on a device with neither mouse nor keys: the keyboard on its screen has no Shift+Enter. */
export const isTouched = matchMedia('(hover: none) and (pointer: coarse)').matches

/** True if Enter inserts a line break: on a phone, where buttons send and save, and in a block of code. */
export const breaksLine = ({ ctrlKey, metaKey, currentTarget }: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean =>
  !ctrlKey && !metaKey && (isTouched || isInBlock(currentTarget.value, currentTarget.selectionStart))

/** Texts whose mentions are known when an edit is undone, or done again. */
const STEPS_MAX = 100

/**
 * Shows the text in the field.
 * @returns a function that restores the mentions of a text that an undo has brought back
 */
function useFieldText(box: RefObject<HTMLTextAreaElement | null>, value: Composition) {
  const history = useRef(new Map<string, Composition>())
  useLayoutEffect(() => {
    const field = box.current
    if (field && field.value !== value.text) write(field, value.text)
    history.current.delete(value.text)
    history.current.set(value.text, value)
    const [oldest] = history.current.keys()
    if (history.current.size > STEPS_MAX && oldest !== undefined) history.current.delete(oldest)
  })
  return (input: Composition) => history.current.get(input.text) ?? input
}

/** Changes a field as an edit that can be undone: when a script sets its value, the browser forgets all edits. */
function write(field: HTMLTextAreaElement, text: string): void {
  const { value: before } = field
  const commonMax = Math.min(before.length, text.length)
  let [start, end] = [0, 0]
  while (start < commonMax && before[start] === text[start]) start++
  if (/[\ud800-\udbff]/.test(text.charAt(start - 1))) start--
  while (end < commonMax - start && before.at(-1 - end) === text.at(-1 - end)) end++
  if (/[\udc00-\udfff]/.test(text.charAt(text.length - end))) end--
  if (text !== '' && document.activeElement === field) {
    field.setSelectionRange(start, before.length - end)
    const part = text.slice(start, text.length - end)
    document.execCommand(part === '' ? 'delete' : 'insertText', false, part)
  }
  if (field.value !== text) field.value = text
}

/** The text again, behind the field, with the mentions marked. */
const Pieces = ({ value: { text, mentions } }: { value: Composition }) => (
  <>
    {mentions.map(({ start, end }, at) => (
      <>
        {text.slice(mentions[at - 1]?.end ?? 0, start)}
        <mark>{text.slice(start, end)}</mark>
      </>
    ))}
    {text.slice(mentions.at(-1)?.end ?? 0)}{' '}
  </>
)
