// Printed from locales/pt/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Entrar como convidado',
  name: 'Seu nome',
  hint: 'Por 24 horas, sem conta. Nesse tempo, você pode transformar isto em uma conta permanente.',
  keep: 'Manter esta conta',
  keepText:
    'Você é um convidado. Escolha um nome de usuário e uma senha, e esta conta será sua, com tudo o que você escreveu.',
  ends: (time) => `Caso contrário, ela termina: ${time}.`,
} satisfies typeof guestWords
