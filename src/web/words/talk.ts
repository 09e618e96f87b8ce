// Printed from locales/en/talk.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of when the microphone is sent. */
export const talkWords = inLanguage('talk', {
  muted: 'Join calls muted',
  mode: 'Input mode',
  modes: {
    open: 'Always on',
    voice: 'Voice activity',
    push: 'Push to talk',
  },
  key: 'Push-to-talk key',
  keyText: 'It works while this page is focused. Letter keys do not work while you type.',
  press: 'Press a key…',
  threshold: 'Input sensitivity',
  level: 'Input level',
  listen: 'Test mic',
  noise: 'Noise suppression',
  noises: {
    off: 'Off',
    browser: 'Browser',
    rnnoise: 'RNNoise (stronger, uses more CPU)',
  },
  echo: 'Echo cancellation',
  gain: 'Automatic gain control',
  music: 'Music mode',
  musicText: 'Stereo at 128 kbit/s, without sound processing. Use headphones, or others will hear an echo.',
  keys: 'Keys in a call',
  noKey: 'None',
  keysText: 'Press a key, with or without Ctrl, Alt or Shift. Backspace clears it.',
})
