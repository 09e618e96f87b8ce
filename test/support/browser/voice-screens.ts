// Runs in a person's page: what the browser gives for a screen, how that and the voice are sent, and on which paths.

import { pairIn } from '../../../src/web/voice/quality.ts'
import { keepMedia } from './call-facts.ts'

const { connections } = keepMedia()
const requests: unknown[] = []
let screenWishes: MediaTrackConstraints = {}

const { mediaDevices } = navigator
const ask = mediaDevices.getDisplayMedia.bind(mediaDevices)
mediaDevices.getDisplayMedia = (wishes) => {
  requests.push(wishes)
  return ask({ ...wishes, video: { ...Object(wishes?.video), ...screenWishes } })
}

/** The browser gives screens like this, whatever is asked of it: two cores encode no 60 pictures of 4K a second. */
export const giveScreens = (wishes: MediaTrackConstraints): void => void (screenWishes = wishes)

/** A screen that changes five times a second. */
export function drawn(width: number, height: number): MediaStream {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  let at = 0
  setInterval(() => {
    if (!pen) return
    pen.fillStyle = `hsl(${(at += 40)} 80% 50%)`
    pen.fillRect(0, 0, width, height)
  }, 200)
  return canvas.captureStream(5)
}

const open = () => connections.filter((each) => each.connectionState !== 'closed')
const senders = () => open().flatMap((each) => each.getSenders())

/** An end of a path, as the browser counts its packets there. */
const endIn = (stats: RTCStats[], id: unknown) => {
  const { candidateType, address, port } = Object(stats.find((entry) => entry.id === id))
  return { type: String(candidateType), address: `${address}:${port}` }
}

/** Both ends of the path of each connection, by the pair of candidates in use. */
export const paths = () =>
  Promise.all(
    open().map(async (each) => {
      const stats: RTCStats[] = [...(await each.getStats()).values()]
      const pair = Object(pairIn(stats as never[]))
      return { own: endIn(stats, pair.localCandidateId), other: endIn(stats, pair.remoteCandidateId) }
    }),
  )

/** How the voice is sent, to each peer or to the SFU: by which codec, as agreed on of Opus, and bytes of a packet. */
export const sentVoice = () =>
  Promise.all(
    senders()
      .filter(({ track }) => track?.kind === 'audio')
      .map(async (sender) => {
        const sent = [...(await sender.getStats()).values()].find(({ type }) => type === 'outbound-rtp')
        const { codecs } = sender.getParameters()
        const opus = codecs.find(({ mimeType }) => mimeType === 'audio/opus')?.sdpFmtpLine ?? ''
        const { bytesSent: bytes = 0, packetsSent: packets = 0 } = sent ?? {}
        return { codec: codecs[0]?.mimeType, opus, bytes, packets }
      }),
  )

/** Constraints of the capture, its actual settings, and the encoding to each peer or the SFU. */
export function sentScreen(screen: MediaStream | undefined) {
  return {
    asked: requests.at(-1),
    settings: screen?.getVideoTracks()[0]?.getSettings(),
    sent: senders()
      .filter(({ track }) => track?.kind === 'video')
      .map((sender) => ({ hint: sender.track?.contentHint, encodings: sender.getParameters().encodings })),
  }
}
