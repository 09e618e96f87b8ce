import { withoutBidi } from '../../state/names.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { showNote } from '../kit/dialogs.tsx'

/** Entries that are looked at: a message takes far fewer files. */
const ENTRIES_MAX = 1_000
/** Files that operating systems create in folders. */
const SYSTEM_FILE = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** The files in folders, including nested ones. A note says if there are none. */
export async function filesIn(folders: FileSystemDirectoryEntry[]): Promise<File[]> {
  const files: File[] = []
  const open: FileSystemEntry[] = [...folders]
  for (let count = 0; count < ENTRIES_MAX; count++) {
    const entry = open.shift()
    if (!entry) break
    if (isFile(entry)) {
      const file = await fileOf(entry)
      if (file) files.push(file)
    } else if (isFolder(entry)) open.push(...(await entriesIn(entry)))
  }
  if (files.length === 0)
    showNote(dialogWords.writing.emptyFolder(withoutBidi(folders.map(({ name }) => name).join(', '))))
  return files
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File | undefined>((resolve) =>
    SYSTEM_FILE.test(entry.name) ? resolve(undefined) : entry.file(resolve, () => resolve(undefined)),
  )

/** Files and folders directly in a folder; the ones read so far if an error occurs. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  // A reader gives a part each time, and nothing at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    all.push(...batch)
    if (batch.length === 0 || all.length >= ENTRIES_MAX) return all
  }
}
