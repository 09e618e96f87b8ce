import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ChannelPlace } from '../../state/place.ts'
import { hasFiles } from '../../state/unsent.ts'
import { words } from '../../words/words.ts'
import { chooseFiles } from '../kit/choose-files.ts'
import { showNote } from '../kit/dialogs.tsx'

type Part = typeof import('./chosen-files.tsx')

/** The code for attached files, loaded with the first file. */
const part = signal<Part | undefined>(undefined)
/** Number of calls that wait for the code. */
const loading = signal(0)

async function withPart(use: (part: Part) => unknown): Promise<void> {
  loading.value++
  try {
    part.value ??= await import('./chosen-files.tsx')
    await use(part.value)
  } catch {
    showNote(words.notLoaded)
  }
  loading.value--
}

/**
 * The files of a place's draft.
 * @param box the field of the composer
 */
export function useUploads(place: ChannelPlace, box: RefObject<HTMLElement | null>) {
  /** @param onTaken called once the page has them all */
  const add = (files: Iterable<File>, onTaken?: () => void) => {
    const list = [...files]
    if (list.length > 0) void withPart(({ filesOf }) => filesOf(place).add(list) && onTaken?.())
  }
  const take = (transfer: DataTransfer | null) => {
    // Read dropped or pasted data now: the browser empties it after the event.
    const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file')
    const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null)
    add(items.flatMap((item, at) => (entries[at]?.isDirectory ? [] : (item.getAsFile() ?? []))))
    const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[]
    if (folders.length > 0) void withPart(async () => add(await (await import('./folders.ts')).filesIn(folders)))
  }
  const choose = () => chooseFiles({ multiple: true }, add)
  useLayoutEffect(() => {
    if (hasFiles(place.channel_id)) void withPart(() => {})
  }, [])
  const dragging = useDrop(take, box)
  return {
    files: part.value?.filesOf(place),
    Tray: part.value?.Tray,
    add,
    choose,
    dragging,
    isLoading: loading.value > 0,
    onPaste: (event: ClipboardEvent) => {
      const { clipboardData } = event
      if (!clipboardData?.files.length || hasOwnText(clipboardData)) return
      event.preventDefault()
      take(clipboardData)
    },
  }
}

/** True if pasted text says more than the files' names: some programs add a picture of the text. */
function hasOwnText(data: DataTransfer): boolean {
  const names = [...data.files].map(({ name }) => name)
  const lines = data.getData('text/plain').split('\n')
  return lines.some((line) => line.trim() !== '' && !names.some((name) => line.trim().endsWith(name)))
}

export type Uploads = ReturnType<typeof useUploads>

/** The conversation that takes dropped files: the one in the side panel of the target, else the first visible one. */
const conversationAt = (target: EventTarget | null): Element | null | undefined =>
  (target instanceof Element ? target.closest('.side-panel')?.querySelector('.conversation') : undefined) ??
  [...document.querySelectorAll<HTMLElement>('.conversation')].find((one) => one.offsetParent !== null)

/** Takes files that are dropped anywhere on the page, unless a dialog is open or another conversation takes them. */
function useDrop(take: (transfer: DataTransfer | null) => void, box: RefObject<HTMLElement | null>): boolean {
  const [dragging, setDragging] = useState(false)
  useLayoutEffect(() => {
    const has = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const takes = ({ target }: DragEvent) =>
      document.querySelector('dialog[open]') === null && conversationAt(target)?.contains(box.current) === true
    const over = (event: DragEvent) => {
      if (!has(event)) return
      // Without this the browser opens the file in place of the page.
      event.preventDefault()
      setDragging(takes(event))
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false)
    const drop = (event: DragEvent) => {
      if (!has(event)) return
      event.preventDefault()
      setDragging(false)
      if (takes(event)) take(event.dataTransfer)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return dragging
}
