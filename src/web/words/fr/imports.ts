import type { importWords } from '../imports.ts'

export default {
  title: 'Reprendre tes messages',
  text:
    'Les messages venus d’ailleurs deviennent les tiens, avec leurs fichiers et réactions. Les rôles ' +
    'et permissions restent comme ils sont. Il n’y a pas de retour en arrière.',
  take: 'Ce sont les miens',
  taken: 'Ils deviennent les tiens en quelques minutes.',
  gone: 'Le lien a expiré, a déjà servi ou est destiné à un autre compte.',
  go: 'Continuer',
} satisfies typeof importWords
