// Printed from locales/fr/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Message vocal',
  recording: 'Enregistrement en cours. Entrée l’envoie, Échap l’abandonne.',
  discard: 'Abandonner l’enregistrement',
  keep: 'Arrêter et envoyer plus tard',
  send: 'Envoyer l’enregistrement',
  over: 'L’enregistrement a atteint sa durée maximale. Il est joint mais pas encore envoyé.',
  noMicrophone: 'Il n’y a pas de micro, ou ton navigateur en bloque l’accès.',
  play: (name) => `Lire ${name}`,
  pause: (name) => `Mettre ${name} en pause`,
  position: (name) => `Position dans ${name}`,
  of: ({ now, all }) => `${now} sur ${all}`,
  rate: (rate) => `Vitesse : ${rate}`,
} satisfies typeof soundWords
