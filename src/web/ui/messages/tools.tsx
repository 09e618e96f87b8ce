import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Entry } from '../../state/timeline.ts'
import { tellNotLoaded } from '../kit/dialogs.tsx'

const load = async () => ({ ...(await import('./action-bar.tsx')), ...(await import('./editor.tsx')) })
const tools = signal<Awaited<ReturnType<typeof load>> | undefined>(undefined)

/** Loads the actions on messages and the editor. @throws Error when they cannot be loaded */
export const loadTools = async () => (tools.value ??= await load())

interface ToolProps {
  part: 'ActionBar' | 'Editor'
  entry: Entry
  /** Shown while the part loads. */
  meanwhile?: ComponentChildren
}

/** The actions or the editor of a message. */
export const Tool = ({ part, entry, meanwhile }: ToolProps) => {
  useEffect(() => void loadTools().catch(tellNotLoaded), [])
  const Part = tools.value?.[part]
  return Part ? <Part entry={entry} /> : <>{meanwhile}</>
}

/** Does the action of a key, while the message's row has the focus. */
export function actByKey(event: KeyboardEvent, entry: Entry): void {
  const row = event.target
  if (!(row instanceof HTMLElement) || row !== event.currentTarget) return
  const act = (loaded: typeof tools.value) => loaded?.actOn(event, entry, row)
  // At once if possible: the browser may have its own use of the key.
  if (tools.value) act(tools.value)
  else void loadTools().then(act, tellNotLoaded)
}
