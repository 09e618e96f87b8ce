// Printed from locales/fr/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Pages publiques',
  server: 'Les salons de ce serveur peuvent être publics',
  serverText: 'Choisissez des salons et forums dans leurs paramètres. Sans cela, rien n’est public.',
  indexed: 'Les moteurs de recherche peuvent les afficher',
  channel: 'Tout le monde lit ce salon, sans compte',
  channelText: 'Les messages des membres retenus et de ceux arrivés dans les dernières 24 heures sont omis.',
  serverOff: 'Autorisez d’abord les pages publiques dans les paramètres du serveur.',
  older: 'Aussi ce qui a été écrit avant',
  olderText: ({ people, messages }) => `Personnes qui ont écrit ici : ${people}. Leurs messages : ${messages}.`,
  open: 'Ouvrir la page publique',
  here: 'Tout le monde peut lire ce qui est écrit ici, sans compte.',
  name: 'Les pages publiques montrent mon nom',
  nameText: 'Sinon, elles vous appellent « A member ».',
} satisfies typeof publicWords
