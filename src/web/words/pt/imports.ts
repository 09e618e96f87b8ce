// Printed from locales/pt/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Reivindique suas mensagens',
  text: 'As mensagens importadas de outro lugar passam a ser suas, com seus arquivos e reações. Cargos e permissões não mudam. Isto não pode ser desfeito.',
  take: 'Estas são minhas',
  taken: 'As mensagens serão suas em alguns minutos.',
  gone: 'O link expirou, já foi usado ou é para outra conta.',
  go: 'Continuar',
} satisfies typeof importWords
