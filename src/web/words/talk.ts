import { inLanguage } from './plural.ts'

/** Words of when the microphone is sent. */
export const talkWords = inLanguage('talk', {
  muted: 'Join calls muted',
  mode: 'Others hear you',
  modes: { open: 'Always', voice: 'While you speak', push: 'While you hold a key or a button' },
  key: 'Key to hold',
  keyText: 'It works while this page has the focus; letters do not while you write.',
  press: 'Press a key…',
  threshold: 'Loud enough to be heard',
  level: 'How loud you are now',
  listen: 'Show how loud I am',
  noise: 'Noise suppression',
  noises: { off: 'Off', browser: 'The browser’s', rnnoise: 'RNNoise: stronger, and takes more of the processor' },
  echo: 'Echo cancellation',
  gain: 'Adjust how loud you are',
  music: 'Music mode',
  musicText: 'Stereo at 128 kbit/s, with nothing taken out of the sound. Use headphones: others would hear an echo.',
  keys: 'Keys in a call',
  noKey: 'None',
  keysText: 'Press a key alone or with Ctrl, Alt or Shift. Backspace leaves it without one.',
})
