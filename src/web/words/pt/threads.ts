// Printed from locales/pt/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Tópicos',
    show: (isLively) => (isLively ? 'Tópicos, com novas mensagens' : 'Tópicos'),
    begin: 'Iniciar um tópico',
    open: 'Abrir o tópico',
    archived: 'Arquivados',
    close: 'Fechar o tópico',
    panel: (name) => `Tópico ${name}`,
    messages: (n) => (n === 0 ? 'ainda sem mensagens' : count(n, '# mensagem', '# de mensagens', '# mensagens')),
    follow: 'Seguir',
    unfollow: 'Seguindo',
    followHint: 'Suas mensagens contam como não lidas',
    actions: 'Ações do tópico',
    rename: 'Renomear',
    settings: 'Configurações do tópico',
    link: 'Copiar link do tópico',
    archive: 'Arquivar',
    bringBack: 'Desarquivar',
    lock: 'Trancar',
    unlock: 'Destrancar',
    locked: 'trancado',
    lockedHint: 'Este tópico está trancado.',
    archivedHint: 'Este tópico está arquivado. Uma nova mensagem o traz de volta.',
    delete: 'Excluir tópico',
    deleteText: 'Isto exclui o tópico com suas mensagens e arquivos para todos.',
    answer: 'Marcar como resposta',
    noAnswer: 'Já não é a resposta',
  },
} satisfies typeof threadWords
