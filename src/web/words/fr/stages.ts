// Printed from locales/fr/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { count } from './plural.ts'

export default {
  kind: 'Scène',
  make: 'Nouvelle scène',
  listen: 'Écouter',
  start: 'Démarrer la scène',
  startNow: 'Démarrer',
  edit: 'Changer le sujet',
  end: 'Terminer la scène',
  topic: 'Sujet',
  noSpeakers: 'Personne ne parle encore.',
  audience: (n) => count(n, '# auditeur', '# d’auditeurs', '# auditeurs'),
  showAudience: 'Afficher les auditeurs',
  others: (n) => count(n, 'et # autre', 'et # d’autres', 'et # autres'),
  raise: 'Lever la main',
  lower: 'Baisser la main',
  place: (n) =>
    count(n, '# main levée avant la tienne', '# de mains levées avant la tienne', '# mains levées avant la tienne'),
  speak: 'Parler',
  stepDown: 'Redevenir auditeur',
  invited: 'Un modérateur t’invite à parler.',
  refuse: 'Non merci',
  hands: 'Mains levées',
  noHands: 'Aucune main n’est levée.',
  letUp: (name) => `Laisser parler ${name}`,
  invite: (name) => `Inviter ${name} à parler`,
  sendDown: (name) => `Renvoyer ${name} parmi les auditeurs`,
  lowerHand: (name) => `Baisser la main de ${name}`,
  isInvited: 'Invitation envoyée',
} satisfies typeof stageWords
