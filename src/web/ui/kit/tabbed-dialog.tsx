import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { folded } from '../../../core/words.ts'
import { settingsWords } from '../../words/settings.ts'
import { Dialog } from './dialog.tsx'
import { leaveForm } from './unsaved.ts'

/** Title of a section, content, further search words, and the heading of its group. */
export type Tab = [title: string, content: () => VNode, finds?: string[], group?: string]

/** Puts sections under a heading. */
export const inGroup = (group: string, tabs: Tab[]): Tab[] =>
  tabs.map(([title, content, finds = []]) => [title, content, finds, group])

/** The sections that match a search, each with its first matching word. */
function matchingTabs(tabs: Tab[], query: string): { tab: Tab; hit: string | undefined }[] {
  const sought = folded(query.trim())
  const fits = (text: string) => folded(text).includes(sought)
  return tabs.flatMap((tab) => {
    const [title, , finds = []] = tab
    const hit = sought === '' ? undefined : finds.find(fits)
    return sought === '' || hit !== undefined || fits(title) ? [{ tab, hit }] : []
  })
}

interface TabbedDialogProps {
  title: string
  tabs: Tab[]
  /** Title of the section to open; by default the first one. */
  first?: string | undefined
  onClose: () => void
}

/** A page of settings: the list of sections with a search, and the open section. */
export const TabbedDialog = ({ title, tabs, first, onClose }: TabbedDialogProps) => {
  const [chosen, setChosen] = useState(tabs.find(([name]) => name === first) ?? tabs[0])
  const [query, setQuery] = useState('')
  // The tab that has a title now: its content is newer than that of the tab that was clicked.
  const current = tabs.find(([name]) => name === chosen?.[0]) ?? chosen
  const results = matchingTabs(tabs, query)
  const list = useRef<HTMLElement>(null)
  // On a phone the list is one line, which scrolls sideways.
  useLayoutEffect(
    () => list.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    [current?.[0]],
  )
  const open = (tab: Tab | undefined) => {
    if (tab && tab !== current) leaveForm(() => setChosen(tab))
  }
  return (
    <Dialog title={title} onClose={() => leaveForm(onClose)} class="settings">
      <div class="sections">
        <form role="search" onSubmit={(event) => (event.preventDefault(), open(results[0]?.tab))}>
          <input
            type="search"
            aria-label={settingsWords.search}
            placeholder={settingsWords.search}
            value={query}
            maxLength={64}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </form>
        <nav ref={list} aria-label={settingsWords.sections}>
          {[...Map.groupBy(results, ({ tab }) => tab[3])].map(([group, entries]) => (
            <section key={group} aria-label={group}>
              {group ? <h3>{group}</h3> : null}
              {entries.map(({ tab, hit }) => (
                <button
                  type="button"
                  key={tab[0]}
                  aria-current={tab === current ? 'page' : undefined}
                  onClick={() => open(tab)}
                >
                  {tab[0]}
                  {hit ? <small>{hit}</small> : null}
                </button>
              ))}
            </section>
          ))}
        </nav>
        {results.length === 0 ? (
          <p class="quiet" role="status">
            {settingsWords.searchNothing}
          </p>
        ) : null}
      </div>
      {/* Another section begins at its top, with nothing of the one before. */}
      <div class="scroll" tabIndex={0} key={current?.[0]}>
        <div class="page-of-settings">
          <h3>{current?.[0]}</h3>
          {current?.[1]()}
        </div>
      </div>
    </Dialog>
  )
}
