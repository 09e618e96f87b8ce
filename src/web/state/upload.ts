import type { File as FileRecord } from '../../features/files/model.ts'
import { ApiError } from '../client/rest.ts'
import { call } from './session.ts'
import { onDevice } from './stored.ts'
import { fileWords } from '../words/files.ts'
import { words } from '../words/words.ts'

const ANY_TYPE = 'application/octet-stream'
/** Storage key of the choice to leave location and camera data in pictures. */
export const KEEPS_METADATA = 'parley.keep-metadata'

/**
 * Uploads a file and creates its record.
 * @param onProgress called with the share that was sent, 0 to 1
 * @throws ApiError; code `offline` if the store is unreachable or the upload was aborted
 */
export async function upload(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<FileRecord> {
  const type = (file.type.split(';')[0] ?? '') || ANY_TYPE
  try {
    return await uploadAs(file, type, onProgress, signal)
  } catch (error) {
    // Browsers guess the type by the name: video for a TypeScript file (.ts). Try again without a type.
    if (!(error instanceof ApiError) || error.code !== 'upload_mismatch' || type === ANY_TYPE) throw error
    return uploadAs(file, ANY_TYPE, onProgress, signal)
  }
}

/** Duration and waveform sent with a sound, so that they are shown before anybody downloads it. */
const shapeOf = (file: File) =>
  import('../sound/measure.ts').then(({ measureSound }) => measureSound(file)).catch(() => undefined)

async function uploadAs(file: File, content_type: string, onProgress: (part: number) => void, signal: AbortSignal) {
  const filename = file.name.slice(-255) || fileWords.unnamed
  const place = await call('POST /api/files/upload-url', {}, { filename, content_type, size: file.size })
  await putBytes(place.upload_url, place.headers, file, onProgress, signal)
  const sound = content_type.startsWith('audio/') ? await shapeOf(file) : undefined
  const keep_metadata = onDevice.getItem(KEEPS_METADATA) !== null
  return call('POST /api/files', {}, { key: place.key, ...(sound && { sound }), keep_metadata })
}

/** Sends the bytes by XMLHttpRequest, since fetch reports no progress of an upload. */
const putBytes = (
  url: string,
  headers: Record<string, string>,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
) =>
  new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = () => reject(new ApiError(0, 'offline', fileWords.interrupted))
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status < 300) return resolve()
      if (request.status !== 507) return fail()
      reject(new ApiError(507, 'storage_full', words.problems.storage_full))
    }
    request.onerror = fail
    request.onabort = fail
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return fail()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(file)
  })
