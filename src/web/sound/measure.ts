import type { SoundDraft } from '../../features/files/model.ts'

/** Larger files, and longer sounds, get no waveform: decoded, a minute takes up to 23 MB, and phones have little. */
const BYTES_MAX = 8 * 1024 * 1024
const SECONDS_MAX = 11 * 60
/** Enough to tell how loud a part is; a sixth of the memory of 48 kHz. */
const SAMPLES_PER_SECOND = 8_000
const PARTS = 96
const DURATION_MS_MAX = 24 * 3_600_000

/** Level of each part of the samples, 0 to 255 for the loudest. */
function loudnessOf(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const length = Math.max(1, Math.ceil(samples.length / PARTS))
  const levels: number[] = []
  for (let at = 0; at < samples.length; at += length) {
    const part = samples.subarray(at, at + length)
    levels.push(Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length))
  }
  const loudest = Math.max(...levels, Number.EPSILON)
  // The square root keeps quiet words visible next to loud ones.
  return Uint8Array.from(levels, (level) => Math.round(255 * Math.sqrt(level / loudest)))
}

/** Estimates the duration of files that store none, such as recordings of some browsers (src/web/sound/recorder.ts). */
const BYTES_PER_SECOND = 4_000
/** Time to wait for the duration: some browsers report neither it nor an error. */
const LENGTH_MS_MAX = 3_000

/** Duration of a sound, s; estimated from its size if the browser has none. Rejects if the browser cannot play it. */
async function lengthOf(file: Blob): Promise<number> {
  const player = new Audio()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  player.onloadedmetadata = () => resolve(player.duration)
  player.onerror = () => reject(new Error('The sound cannot be played'))
  player.src = URL.createObjectURL(file)
  setTimeout(() => resolve(NaN), LENGTH_MS_MAX)
  const length = await promise.finally(() => URL.revokeObjectURL(player.src))
  return Number.isFinite(length) ? length : file.size / BYTES_PER_SECOND
}

/**
 * Measures a sound of this device. Rejects if the browser cannot play it.
 * @returns undefined if it is too large or long, or cannot be decoded
 */
export async function measureSound(file: Blob): Promise<SoundDraft | undefined> {
  if (file.size > BYTES_MAX || (await lengthOf(file)) > SECONDS_MAX) return undefined
  const context = new OfflineAudioContext(1, 1, SAMPLES_PER_SECOND)
  const sound = await file
    .arrayBuffer()
    .then((bytes) => context.decodeAudioData(bytes))
    .catch(() => undefined)
  const duration_ms = Math.round((sound?.duration ?? 0) * 1000)
  if (!sound || duration_ms < 1 || duration_ms > DURATION_MS_MAX) return undefined
  return { duration_ms, waveform: btoa(String.fromCharCode(...loudnessOf(sound.getChannelData(0)))) }
}

/** The loudness of the parts of a waveform, 0 to 1. */
export const partsOf = (waveform: string): number[] =>
  Array.from(atob(waveform), (letter) => letter.charCodeAt(0) / 255)
