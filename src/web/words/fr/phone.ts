import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Rubriques',
  home: 'Accueil',
  servers: 'Serveurs',
  inbox: 'Boîte',
  you: 'Vous',
  noServers: 'Aucun serveur pour le moment',
  noServersText: 'Créez-en un, ou rejoignez-en un avec un lien d’invitation.',
} satisfies typeof phoneWords
