import { upload } from '../../state/upload.ts'

/** Opens the file chooser, uploads the chosen picture, and passes its id to `use`. */
export function choosePicture(
  use: (file_id: number, filename: string) => Promise<unknown>,
  attempt: (work: () => Promise<unknown>) => Promise<unknown>,
  accept = 'image/png,image/jpeg,image/gif,image/webp,image/avif',
): void {
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    accept,
  })
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) void attempt(async () => use((await upload(file, () => {}, new AbortController().signal)).id, file.name))
  })
  input.click()
}
