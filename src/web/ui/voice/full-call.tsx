import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { titleOf } from '../../state/names.ts'
import { go, placePath } from '../../state/route.ts'
import { isCallSmall } from '../../voice/shown-call.ts'
import { callWords } from '../../words/call.ts'
import { phoneWords } from '../../words/phone.ts'
import { onBack } from '../kit/back.ts'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'

/** The parts of the page that a call on the whole screen covers. */
function coveredBy(section: Element): HTMLElement[] {
  const covered: HTMLElement[] = []
  for (let at = section; at.parentElement && !at.matches('.shell'); at = at.parentElement)
    for (const other of at.parentElement.children)
      if (other !== at && other instanceof HTMLElement && !other.matches('dialog, .menu, .menu-veil, .note'))
        covered.push(other)
  return covered.filter(({ inert }) => !inert)
}

function shrink(): void {
  isCallSmall.value = true
  requestAnimationFrame(() => {
    const lines = [...document.querySelectorAll<HTMLElement>('.pill button')]
    lines.find((line) => line.checkVisibility({ visibilityProperty: true }))?.focus({ preventScroll: true })
  })
}

/** The head of a call that fills the screen of a phone. Its button, and Back, make the call small. */
export const FullCallHead = ({ channel }: { channel: Channel }) => {
  const head = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const section = head.current?.closest('.voice')
    const covered = section ? coveredBy(section) : []
    const focused = document.activeElement
    // A menu or dialog above the call keeps the focus.
    if (covered.some((part) => part.contains(focused)) || focused === document.body)
      head.current?.querySelector('button')?.focus({ preventScroll: true })
    for (const part of covered) part.inert = true
    const stop = onBack(shrink)
    return () => {
      stop()
      for (const part of covered) part.inert = false
    }
  }, [])
  return (
    <header ref={head}>
      <IconButton icon="chevron" size={24} label={phoneWords.shrinkCall} onClick={shrink} />
      <h2>
        <bdi>{titleOf(channel)}</bdi>
      </h2>
    </header>
  )
}

/** On a phone, the line that leads back to the call from every page. */
export const CallPill = ({ channel, state }: { channel: Channel; state: keyof typeof callWords.states }) => (
  <button
    type="button"
    aria-label={phoneWords.toCall(titleOf(channel))}
    onClick={() => {
      isCallSmall.value = false
      go(placePath(channel.id))
    }}
  >
    <Icon name="phone" size={18} />
    <bdi>{titleOf(channel)}</bdi>
    <small>{callWords.states[state].replace(/\s*[:：]$/, '')}</small>
  </button>
)
