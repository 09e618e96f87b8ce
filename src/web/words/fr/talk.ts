import type { talkWords } from '../talk.ts'

export default {
  muted: 'Rejoindre les appels micro coupé',
  mode: 'Les autres t’entendent',
  modes: {
    open: 'Toujours',
    voice: 'Pendant que tu parles',
    push: 'Pendant que tu tiens une touche ou un bouton',
  },
  key: 'Touche à tenir',
  keyText: 'Elle agit tant que cette page est active ; les lettres n’agissent pas pendant que tu écris.',
  press: 'Appuie sur une touche…',
  threshold: 'Assez fort pour être entendu',
  level: 'Ton volume actuel',
  listen: 'Montrer mon volume',
  noise: 'Suppression du bruit',
  noises: {
    off: 'Désactivée',
    browser: 'Celle du navigateur',
    rnnoise: 'RNNoise : plus forte, demande plus de calcul',
  },
  echo: 'Annulation de l’écho',
  gain: 'Ajuster le volume du micro',
  music: 'Mode musique',
  musicText: 'Stéréo à 128 kbit/s, sans rien retirer du son. Mets un casque : sinon, les autres entendraient un écho.',
  keys: 'Touches pendant un appel',
  noKey: 'Aucune',
  keysText: 'Appuie sur une touche seule ou avec Ctrl, Alt ou Maj. Retour arrière la retire.',
} satisfies typeof talkWords
