import { upload } from '../../state/upload.ts'
import { chooseFiles } from './choose-files.ts'

/** Largest edge of an encoded picture, px: no picture is shown larger. */
const EDGE_PX = 512
const QUALITY = 0.9

/** Opens the file chooser, uploads the chosen picture, and passes its id to `use`. */
export function choosePicture(
  use: (fileId: number, filename: string) => Promise<unknown>,
  attempt: (work: () => Promise<unknown>) => Promise<unknown>,
  accept = 'image/png,image/jpeg,image/gif,image/webp,image/avif',
): void {
  const take = async (file: File) => {
    const picture = file.type === 'image/avif' ? await asWebp(file) : file
    const { id } = await upload(picture, () => {}, new AbortController().signal)
    return use(id, file.name)
  }
  chooseFiles({ accept }, ([file]) => {
    if (file) void attempt(() => take(file))
  })
}

/**
 * Re-encodes a picture, at most EDGE_PX wide and high. Browsers decode AVIF, but a server may lack the decoder.
 * @returns the file itself if the browser cannot decode it
 */
async function asWebp(file: File): Promise<File> {
  try {
    const image = await createImageBitmap(file)
    const scale = Math.min(1, EDGE_PX / Math.max(image.width, image.height))
    const [width, height] = [image.width, image.height].map((edge) => Math.max(1, Math.round(edge * scale)))
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    // A browser that encodes no WebP gives a PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY))
    if (!blob) return file
    const ending = blob.type === 'image/webp' ? 'webp' : 'png'
    return new File([blob], file.name.replace(/\.\w+$/, '') + `.${ending}`, { type: blob.type })
  } catch {
    return file
  }
}
