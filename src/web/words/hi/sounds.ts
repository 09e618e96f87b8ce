// Printed from locales/hi/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'वॉइस संदेश',
  recording: 'रिकॉर्डिंग चल रही है। Enter भेजता है, Escape हटाता है।',
  discard: 'रिकॉर्डिंग हटाएँ',
  keep: 'रोकें और बाद में भेजें',
  send: 'रिकॉर्डिंग भेजें',
  over: 'रिकॉर्डिंग अपनी अधिकतम लंबाई पर पहुँच गई है। वह जोड़ दी गई है, पर अभी भेजी नहीं गई।',
  noMicrophone: 'कोई माइक्रोफ़ोन नहीं है, या आपका ब्राउज़र उस तक पहुँच रोक रहा है।',
  play: (name) => `${name} चलाएँ`,
  pause: (name) => `${name} रोकें`,
  position: (name) => `${name} में स्थान`,
  of: ({ now, all }) => `${all} में से ${now}`,
  rate: (rate) => `गति: ${rate}`,
} satisfies typeof soundWords
