// Printed from locales/fr/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Serveurs',
    add: 'Ajouter un serveur',
    name: 'Nom du serveur',
    viewedAs: (role) =>
      role === undefined
        ? 'Tu vois le serveur en tant que membre sans rôle.'
        : `Tu vois le serveur en tant que ${role}.`,
    stopViewing: 'Arrêter',
    gone: (name) => `${name} a été supprimé.`,
  },
  channels: {
    browse: 'Parcourir les salons',
    list: 'Salons',
    private: ', privé',
    text: 'Texte',
    voice: 'Vocal',
    none: 'Rien à voir ici pour l’instant',
    noneText: 'Tes rôles ne te laissent voir aucun salon. La modération du serveur peut changer cela.',
    noneToMake: 'Les conversations ont lieu dans des salons. Crée le premier.',
    addTopic: 'Ajouter un sujet',
    outside: 'Aucune catégorie',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} est maintenant en position ${place}.`
        : `${name} est maintenant en position ${place} dans ${category}.`,
    moveHint: 'Appuie sur Alt et une flèche pour le déplacer.',
    addTo: (name) => `Nouveau salon dans ${name}`,
    make: {
      text: 'Nouveau salon textuel',
      voice: 'Nouveau salon vocal',
      category: 'Nouvelle catégorie',
    },
    settings: (name) => `Paramètres de ${name}`,
    taken: ({ n, limit }) => `${digits(n)} personnes sur ${digits(limit)}`,
  },
  invite: {
    people: 'Inviter des personnes',
  },
} satisfies typeof serverWords
