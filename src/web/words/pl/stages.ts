// Printed from locales/pl/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Scena',
  make: 'Nowa scena',
  listen: 'Słuchaj',
  start: 'Rozpocznij scenę',
  startNow: 'Rozpocznij',
  edit: 'Zmień temat',
  end: 'Zakończ scenę',
  topic: 'Temat',
  noSpeakers: 'Nikt jeszcze nie mówi.',
  audience: (n) => count(n, '# słuchacz', '# słuchaczy', '# słuchaczy', '# słuchacza'),
  showAudience: 'Pokaż słuchaczy',
  others: (n) => `i jeszcze ${digits(n)}`,
  raise: 'Podnieś rękę',
  lower: 'Opuść rękę',
  place: (n) =>
    count(
      n,
      '# ręka podniesiona przed twoją',
      '# ręce podniesione przed twoją',
      '# rąk podniesionych przed twoją',
      '# ręki podniesionej przed twoją',
    ),
  speak: 'Mów',
  stepDown: 'Zejdź ze sceny',
  invited: 'Moderator zaprasza cię do zabrania głosu.',
  refuse: 'Nie, dziękuję',
  hands: 'Podniesione ręce',
  noHands: 'Nikt nie podniósł ręki.',
  letUp: (name) => `Udziel głosu: ${name}`,
  invite: (name) => `Zaproś do głosu: ${name}`,
  sendDown: (name) => `Przenieś do słuchaczy: ${name}`,
  lowerHand: (name) => `Opuść rękę: ${name}`,
  isInvited: 'Zaproszono',
} satisfies typeof stageWords
