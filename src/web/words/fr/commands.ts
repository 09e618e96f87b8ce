// Printed from locales/fr/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Commandes',
  find: 'Trouver une commande',
  nothing: 'Aucune commande correspondante.',
  none: 'Aucun bot n’a de commande pour cela.',
  by: (bot) => `de ${bot}`,
  use: (name) => `Utiliser /${name}`,
  choose: 'Choisir…',
  chooseBetween: ({ min, max }) => `Choisis de ${min} à ${max}.`,
  yes: 'Oui',
  no: 'Non',
  send: 'Envoyer',
  uploading: 'Le fichier est encore en cours de téléversement.',
  waiting: (bot) => `${bot} réfléchit…`,
  silent: (bot) => `${bot} n’a pas répondu.`,
  onlyYou: 'Toi seul peux voir ceci',
  dismiss: 'Ignorer',
  answers: 'Réponses de bots que toi seul peux voir',
  answering: ({ name, command }) => `${name} a utilisé /${command}`,
  answeringComponent: (name) => `${name} a demandé ceci`,
  texts: {
    me: 'Dit en italique ce que tu fais',
    shrug: 'Ajoute ¯\\_(ツ)_/¯',
    spoiler: 'Masque le texte jusqu’à ce qu’on clique dessus',
    tableflip: 'Ajoute (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
