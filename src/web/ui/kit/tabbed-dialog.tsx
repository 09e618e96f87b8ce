import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { settingsWords } from '../../words/settings.ts'
import { askToConfirm, Dialog } from './dialogs.tsx'

/** Forms with changes that are not saved. */
const unsaved = new Set<object>()

/**
 * Notes that a form has changes that are not saved, so that leaving it asks.
 * @param values what can be entered, at first as it is saved
 * @returns a function to call when the values have been saved
 */
export function useUnsaved(values: unknown): () => void {
  const form = useRef({})
  const now = JSON.stringify(values)
  const saved = useRef(now)
  useEffect(() => {
    if (now === saved.current) unsaved.delete(form.current)
    else unsaved.add(form.current)
  }, [now])
  useEffect(() => () => void unsaved.delete(form.current), [])
  return () => {
    saved.current = now
    unsaved.delete(form.current)
  }
}

/** Leaves a form, after a question if it has changes that are not saved. */
export function leaveForm(leave: () => void): void {
  if (unsaved.size === 0) return leave()
  askToConfirm({
    title: settingsWords.unsaved.title,
    text: settingsWords.unsaved.text,
    action: settingsWords.unsaved.discard,
    work: async () => {
      unsaved.clear()
      leave()
    },
  })
}

/** The title of a tab, and its content. */
export type Tab = [title: string, content: () => VNode]

/** A dialog of settings with tabs. */
export const TabbedDialog = ({ title, tabs, onClose }: { title: string; tabs: Tab[]; onClose: () => void }) => {
  const [chosen, setChosen] = useState(tabs[0])
  // The tab that has a title now: its content is newer than that of the tab that was clicked.
  const current = tabs.find(([name]) => name === chosen?.[0]) ?? chosen
  return (
    <Dialog title={title} onClose={() => leaveForm(onClose)} class="settings">
      <nav class="tabs" aria-label={settingsWords.sections}>
        {tabs.map((tab) => (
          <button
            type="button"
            key={tab[0]}
            aria-current={tab === current ? 'page' : undefined}
            onClick={() => (tab === current ? undefined : leaveForm(() => setChosen(tab)))}
          >
            {tab[0]}
          </button>
        ))}
      </nav>
      <div class="scroll" tabIndex={0}>
        {current?.[1]()}
      </div>
    </Dialog>
  )
}
