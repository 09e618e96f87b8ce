// Printed from locales/en/sounds.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of sounds that are recorded and played. */
export const soundWords = inLanguage('sounds', {
  message: 'Voice message',
  recording: 'Recording. Enter sends it, Escape discards it.',
  discard: 'Discard the recording',
  keep: 'Stop and send later',
  send: 'Send the recording',
  over: 'The recording has reached its maximum length. It is attached but not sent yet.',
  noMicrophone: 'There is no microphone, or your browser blocks access to it.',
  play: (name: string) => `Play ${name}`,
  pause: (name: string) => `Pause ${name}`,
  position: (name: string) => `Position in ${name}`,
  of: ({ now, all }: { now: string; all: string }) => `${now} of ${all}`,
  rate: (rate: string) => `Speed: ${rate}`,
})
