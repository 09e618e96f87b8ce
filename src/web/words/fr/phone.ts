// Printed from locales/fr/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Rubriques',
  home: 'Accueil',
  servers: 'Serveurs',
  inbox: 'Boîte',
  you: 'Vous',
  noServers: 'Aucun serveur pour le moment',
  noServersText: 'Créez-en un, ou rejoignez-en un avec un lien d’invitation.',
  toCall: (name) => `Revenir à l’appel dans ${name}`,
  shrinkCall: 'Réduire l’appel',
} satisfies typeof phoneWords
