// Printed from locales/hi/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'मंच',
  make: 'नया मंच',
  listen: 'सुनें',
  start: 'मंच शुरू करें',
  startNow: 'शुरू करें',
  edit: 'विषय बदलें',
  end: 'मंच समाप्त करें',
  topic: 'विषय',
  noSpeakers: 'अभी कोई नहीं बोल रहा है।',
  audience: (n) => `${digits(n)} श्रोता`,
  showAudience: 'श्रोता दिखाएँ',
  others: (n) => `और ${digits(n)} अन्य`,
  raise: 'हाथ उठाएँ',
  lower: 'हाथ नीचे करें',
  place: (n) => count(n, 'आपसे पहले # हाथ उठा है', 'आपसे पहले # हाथ उठे हैं'),
  speak: 'बोलें',
  stepDown: 'मंच से उतरें',
  invited: 'एक मॉडरेटर आपको बोलने के लिए आमंत्रित करता है।',
  refuse: 'नहीं, धन्यवाद',
  hands: 'उठे हुए हाथ',
  noHands: 'कोई हाथ नहीं उठा है।',
  letUp: (name) => `${name} को बोलने दें`,
  invite: (name) => `${name} को बोलने के लिए आमंत्रित करें`,
  sendDown: (name) => `${name} को श्रोताओं में भेजें`,
  lowerHand: (name) => `${name} का हाथ नीचे करें`,
  isInvited: 'आमंत्रित',
} satisfies typeof stageWords
