// Printed from locales/hi/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'कॉल में म्यूट होकर जुड़ें',
  mode: 'इनपुट मोड',
  modes: {
    open: 'हमेशा चालू',
    voice: 'वॉइस गतिविधि',
    push: 'पुश-टू-टॉक',
  },
  key: 'पुश-टू-टॉक कुंजी',
  keyText: 'यह तब काम करती है जब यह पेज फ़ोकस में हो। टाइप करते समय अक्षर कुंजियाँ काम नहीं करतीं।',
  press: 'कोई कुंजी दबाएँ…',
  threshold: 'इनपुट संवेदनशीलता',
  level: 'इनपुट स्तर',
  listen: 'माइक जाँचें',
  noise: 'शोर कम करना',
  noises: {
    off: 'बंद',
    browser: 'ब्राउज़र',
    rnnoise: 'RNNoise (ज़्यादा असरदार, CPU का ज़्यादा इस्तेमाल)',
  },
  echo: 'गूँज हटाना',
  gain: 'ऑटोमैटिक गेन कंट्रोल',
  music: 'संगीत मोड',
  musicText: '128 kbit/s पर स्टीरियो, बिना ध्वनि प्रोसेसिंग के। हेडफ़ोन लगाएँ, नहीं तो दूसरों को गूँज सुनाई देगी।',
  keys: 'कॉल के दौरान कुंजियाँ',
  noKey: 'कोई नहीं',
  keysText: 'Ctrl, Alt या Shift के साथ या उनके बिना कोई कुंजी दबाएँ। Backspace उसे हटाता है।',
} satisfies typeof talkWords
