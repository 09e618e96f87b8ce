import { inLanguage } from './plural.ts'

/** Words of sounds that are recorded and played. */
export const soundWords = inLanguage('sounds', {
  message: 'Voice message',
  recording: 'Recording. Enter sends it, Escape discards it.',
  discard: 'Discard the recording',
  keep: 'Stop, and send it later',
  send: 'Send the recording',
  over: 'The recording is as long as it may be. It is attached and not sent yet.',
  noMicrophone: 'There is no microphone, or the browser does not let this page use it.',
  play: (name: string) => `Play ${name}`,
  pause: (name: string) => `Pause ${name}`,
  position: (name: string) => `Position in ${name}`,
  of: (now: string, all: string) => `${now} of ${all}`,
  rate: (rate: string) => `Speed: ${rate}`,
})
