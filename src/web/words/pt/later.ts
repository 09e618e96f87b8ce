import type { laterWords } from '../later.ts'

export default {
  at: 'Em outro momento',
  saved: {
    title: 'Salvas',
    none: 'Nada salvo ainda',
    noneText: 'Escolha “Salvar mensagem” no menu de uma mensagem. Só você vê o que salva.',
    note: 'Nota',
    noteText: 'Só você a vê.',
    remind: 'Lembrar-me',
    set: 'Definir lembrete',
    until: (time) => `Lembrete ${time}`,
    since: (time) => `Lembrete, pendente desde ${time}`,
    clear: 'Remover lembrete',
    done: 'Concluído',
    edit: 'Nota e lembrete…',
    remove: 'Remover das salvas',
  },
} satisfies typeof laterWords
