import type { importWords } from '../imports.ts'

export default {
  title: 'Assuma suas mensagens',
  text:
    'As mensagens trazidas de outro lugar passam a ser suas, com seus arquivos e reações. Cargos e ' +
    'permissões ficam como estão. Não há volta.',
  take: 'São minhas',
  taken: 'Elas serão suas em alguns minutos.',
  gone: 'O link expirou, já foi usado ou é de outra conta.',
  go: 'Continuar',
} satisfies typeof importWords
