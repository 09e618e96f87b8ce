import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../../client/rest.ts'
import { withoutBidi } from '../../state/names.ts'
import { sizeOf } from '../../state/format.ts'
import { upload } from '../../state/upload.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { isSpoiler, markedOtherwise, nameOfFile } from './media.ts'

const FILES_MAX = 10

interface Upload {
  key: number
  file: File
  /** The URL of a picture's bytes. */
  preview: string | undefined
  progress: number
  id?: number
  error?: string
  stop: AbortController
}

let uploaded = 0

/** The server's limits are in bytes. */
const inUnits = (text: string): string => text.replace(/(\d+) bytes/g, (_, bytes) => sizeOf(Number(bytes)))

const uploadOf = (file: File): Upload => ({
  key: ++uploaded,
  file,
  preview: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined,
  progress: 0,
  stop: new AbortController(),
})

function release({ stop, preview }: Upload): void {
  stop.abort()
  if (preview) URL.revokeObjectURL(preview)
}

/** The uploads for the message that is being written. */
export function useUploads() {
  const [list, setList] = useState<Upload[]>([])
  /** How many files were left out. */
  const [surplus, setSurplus] = useState(0)
  const kept = useRef(list)
  kept.current = list
  const update = (key: number, change: Partial<Upload>) =>
    setList((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const start = ({ key, file, stop }: Upload) =>
    upload(file, (progress) => update(key, { progress }), stop.signal).then(
      ({ id }) => update(key, { id, progress: 1 }),
      ({ message, errors }: ApiError) => update(key, { error: inUnits(errors?.[0]?.message ?? message) }),
    )
  const add = (files: Iterable<File>) => {
    const chosen = [...files]
    const added = chosen.slice(0, FILES_MAX - kept.current.length).map(uploadOf)
    setSurplus(chosen.length - added.length)
    kept.current = [...kept.current, ...added]
    setList((all) => [...all, ...added])
    for (const one of added) void start(one)
  }
  const choose = () => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    input.addEventListener('change', () => add(input.files ?? []))
    input.click()
  }
  useEffect(() => () => kept.current.forEach(release), [])
  const dragging = useDrop(add)
  return {
    list,
    add,
    choose,
    dragging,
    surplus,
    ids: list.flatMap((one) => one.id ?? []),
    /** Whether every upload has finished without an error. */
    ready: list.every((one) => one.id !== undefined),
    failed: list.some((one) => one.error !== undefined),
    remove: (one: Upload) => {
      release(one)
      setSurplus(0)
      setList((all) => all.filter((other) => other !== one))
    },
    /** Marks a file as a spoiler, or no longer: it is uploaded again under its other name. */
    mark: (one: Upload) => {
      release(one)
      const next = uploadOf(new File([one.file], markedOtherwise(one.file.name), { type: one.file.type }))
      setList((all) => all.map((other) => (other === one ? next : other)))
      void start(next)
    },
    clear: () => {
      list.forEach(release)
      setSurplus(0)
      setList([])
    },
    onPaste: (event: ClipboardEvent) => {
      const files = event.clipboardData?.files
      if (!files?.length) return
      event.preventDefault()
      add(files)
    },
  }
}
type Uploads = ReturnType<typeof useUploads>

/** Takes files that are dropped anywhere on the page, unless a dialog is open. */
function useDrop(add: (files: Iterable<File>) => void): boolean {
  const [dragging, setDragging] = useState(false)
  useLayoutEffect(() => {
    const has = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const isFree = () => document.querySelector('dialog[open]') === null
    const over = (event: DragEvent) => {
      if (!has(event)) return
      // Without this the browser opens the file in place of the page.
      event.preventDefault()
      setDragging(isFree())
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false)
    const drop = (event: DragEvent) => {
      if (!has(event)) return
      event.preventDefault()
      setDragging(false)
      if (isFree()) add(event.dataTransfer?.files ?? [])
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

/** The files of the message, with their progress. */
export const UploadTray = ({ uploads }: { uploads: Uploads }) => (
  <>
    {uploads.dragging ? <p class="drop">{words.files.drop}</p> : null}
    {uploads.list.length > 0 ? (
      <ul class="tray">
        {uploads.list.map((one) => (
          <li key={one.key} class={one.error ? 'failed' : ''}>
            {one.preview ? <img class={isSpoiler(one.file.name) ? 'hazy' : ''} src={one.preview} alt="" /> : null}
            <span>
              <bdi>{nameOfFile({ filename: one.file.name })}</bdi>
              <small>{one.error ?? sizeOf(one.file.size)}</small>
            </span>
            {one.id === undefined && !one.error ? (
              <progress value={one.progress} max={1} aria-label={words.files.progress(withoutBidi(one.file.name))} />
            ) : null}
            {/^(image|video)\//.test(one.file.type) ? (
              <IconButton
                icon="hide"
                size={16}
                label={words.files.mark(nameOfFile({ filename: one.file.name }))}
                pressed={isSpoiler(one.file.name)}
                onClick={() => uploads.mark(one)}
              />
            ) : null}
            <IconButton
              icon="close"
              size={16}
              label={words.files.remove(withoutBidi(one.file.name))}
              onClick={() => uploads.remove(one)}
            />
          </li>
        ))}
      </ul>
    ) : null}
  </>
)
