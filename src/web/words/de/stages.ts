// Printed from locales/de/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Bühne',
  make: 'Neue Bühne',
  listen: 'Zuhören',
  start: 'Bühne starten',
  startNow: 'Starten',
  edit: 'Thema ändern',
  end: 'Bühne beenden',
  topic: 'Thema',
  noSpeakers: 'Noch spricht niemand.',
  audience: (n) => `${digits(n)} Zuhörer`,
  showAudience: 'Zuhörer anzeigen',
  others: (n) => count(n, 'und # weitere Person', 'und # weitere'),
  raise: 'Hand heben',
  lower: 'Hand senken',
  place: (n) => count(n, '# Hand wurde vor deiner gehoben', '# Hände wurden vor deiner gehoben'),
  speak: 'Sprechen',
  stepDown: 'Nur noch zuhören',
  invited: 'Die Moderation lädt dich ein, zu sprechen.',
  refuse: 'Nein, danke',
  hands: 'Gehobene Hände',
  noHands: 'Keine Hand ist gehoben.',
  letUp: (name) => `${name} sprechen lassen`,
  invite: (name) => `${name} einladen, zu sprechen`,
  sendDown: (name) => `${name} zu den Zuhörern schicken`,
  lowerHand: (name) => `Hand von ${name} senken`,
  isInvited: 'Eingeladen',
} satisfies typeof stageWords
