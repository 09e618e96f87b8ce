const FILES_MAX = 10
/** Bytes of all files. The browser stores them until the person has chosen a place. */
const BYTES_MAX = 512 * 1024 * 1024
/** UTF-16 units: more than a message may have, so that the person can shorten the text. */
const TEXT_UNITS_MAX = 16_000

/** Text and files shared by another program. */
export interface Shared {
  text: string
  files: File[]
  /** Number of files beyond the limits. */
  left_out: number
}

/** The files that fit into the limits, in their order. */
export function fitting<T extends Pick<File, 'size'>>(files: T[]): T[] {
  let bytes = 0
  return files.slice(0, FILES_MAX).filter(({ size }) => {
    const hasSpace = bytes + size <= BYTES_MAX
    if (hasSpace) bytes += size
    return hasSpace
  })
}

/** Reads the form that another program posted (share_target of the manifest), cut to the limits. */
export function sharedOf(form: FormData): Shared {
  const text = ['title', 'text', 'url'].flatMap((name) => form.getAll(name).slice(0, 1))
  const all = form.getAll('files').filter((file) => file instanceof File)
  const files = fitting(all)
  return {
    text: text
      .filter((part) => typeof part === 'string')
      .join('\n')
      .slice(0, TEXT_UNITS_MAX),
    files,
    left_out: all.length - files.length,
  }
}
