// Printed from locales/pt/later.json. After a change there: bun run words
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
  scheduled: {
    title: 'Agendadas',
    none: 'Nada agendado',
    noneText: 'Escreva uma mensagem e escolha “Enviar mais tarde” em vez de enviá-la.',
    schedule: 'Agendar',
    at: (time) => `Será enviada: ${time}`,
    edit: 'Editar…',
    held: 'Suas mensagens agendadas estão retidas, porque suas sessões foram encerradas ou um backup foi restaurado. Verifique-as e confirme.',
    isHeld: 'Retida até você confirmar',
    confirm: 'Confirmar todas',
    overdue: 'Não enviada: a hora já tinha passado.',
  },
} satisfies typeof laterWords
