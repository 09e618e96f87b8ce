import type { types } from 'mediasoup'

/** What a producer carries; the permission that it needs depends on it. */
export type Source = 'microphone' | 'camera' | 'screen' | 'screen_audio'

/** What each source sends: its kind, and how many resolutions at most at once (simulcast or SVC). */
export const SOURCES: Record<Source, { kind: types.MediaKind; spatial_layers_max: number }> = {
  microphone: { kind: 'audio', spatial_layers_max: 1 },
  screen_audio: { kind: 'audio', spatial_layers_max: 1 },
  camera: { kind: 'video', spatial_layers_max: 3 },
  screen: { kind: 'video', spatial_layers_max: 2 },
}

/** What a client's parameters hold where a text belongs: mediasoup judges the rest of them. */
const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')

/** Whether the parameters of a producer are of its kind: mediasoup accepts video codecs under kind `audio`. */
export const isOfKind = (kind: types.MediaKind, { codecs }: types.RtpParameters): boolean =>
  Array.isArray(codecs) && codecs.every((codec) => textOf(codec?.mimeType).toLowerCase().startsWith(`${kind}/`))

/** How many resolutions the parameters of a producer name. */
export function spatialLayers({ encodings }: types.RtpParameters): number {
  if (!Array.isArray(encodings)) return 1
  // W3C "Scalable Video Coding", §6: L and S stand before the number of spatial layers.
  const inMode = encodings.map((each) => Number(/^[LS](\d+)T/.exec(textOf(each?.scalabilityMode))?.[1] ?? 1))
  return Math.max(encodings.length, ...inMode)
}

/** Bits per second that one member may send: a camera and a screen of 4K with sound, each in all its layers. */
export const INCOMING_BITS_MAX = 18_000_000
/** Bits per second towards a member at first; congestion control adapts them. */
export const OUTGOING_BITS_FIRST = 1_000_000

const video = { kind: 'video', clockRate: 90_000 } as const
const h264 = (profile: string) => ({
  ...video,
  mimeType: 'video/H264',
  parameters: { 'packetization-mode': 1, 'profile-level-id': profile, 'level-asymmetry-allowed': 1 },
})

/** Opus with in-band FEC and DTX, VP8, VP9, and H264 in the profiles that browsers have. Source: docs/voice.md. */
export const mediaCodecs: types.RouterRtpCodecCapability[] = [
  {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    parameters: { useinbandfec: 1, usedtx: 1 },
  },
  { ...video, mimeType: 'video/VP8' },
  { ...video, mimeType: 'video/VP9', parameters: { 'profile-id': 0 } },
  h264('42e01f'),
  h264('4d0032'),
]
