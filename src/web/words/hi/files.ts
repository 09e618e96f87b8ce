// Printed from locales/hi/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `एक संदेश में अधिकतम 10 फ़ाइलें हो सकती हैं। ${count(n, '# फ़ाइल छोड़ दी गई', '# फ़ाइलें छोड़ दी गईं')}।`,
  unnamed: 'फ़ाइल',
  interrupted: 'अपलोड बीच में रुक गया।',
  remove: (name) => `${name} हटाएँ`,
  progress: (name) => `${name} अपलोड हो रही है`,
  download: 'डाउनलोड करें',
  downloadOne: (name) => `${name} डाउनलोड करें`,
  mark: (name) => `${name} को स्पॉइलर मार्क करें`,
  describe: (name) => `${name} का वर्णन करें`,
  description: 'इसमें क्या दिखता है',
  descriptionHint: 'जो इसे नहीं देख पाते उन्हें पढ़कर सुनाया जाता है और खोज में मिलता है।',
} satisfies typeof fileWords
