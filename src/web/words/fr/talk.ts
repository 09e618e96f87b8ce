// Printed from locales/fr/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Rejoindre les appels micro coupé',
  mode: 'Mode d’entrée',
  modes: {
    open: 'Toujours actif',
    voice: 'Détection de la voix',
    push: 'Appuyer pour parler',
  },
  key: 'Touche pour parler',
  keyText: 'Elle agit tant que cette page est active. Les touches de lettres n’agissent pas pendant que tu écris.',
  press: 'Appuie sur une touche…',
  threshold: 'Sensibilité d’entrée',
  level: 'Niveau d’entrée',
  listen: 'Tester le micro',
  noise: 'Suppression du bruit',
  noises: {
    off: 'Désactivée',
    browser: 'Navigateur',
    rnnoise: 'RNNoise (plus forte, utilise plus de processeur)',
  },
  echo: 'Annulation de l’écho',
  gain: 'Contrôle automatique du gain',
  music: 'Mode musique',
  musicText: 'Stéréo à 128 kbit/s, sans traitement du son. Mets un casque, sinon les autres entendront un écho.',
  keys: 'Touches pendant un appel',
  noKey: 'Aucune',
  keysText: 'Appuie sur une touche, avec ou sans Ctrl, Alt ou Maj. Retour arrière l’efface.',
} satisfies typeof talkWords
