// Printed from locales/pt/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'
import { count } from './plural.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'Configurações',
  },
  conversations: 'Conversas',
  search: {
    open: 'Buscar mensagens',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Carregando…',
  unreachable: 'Não foi possível acessar o servidor. Tentando de novo…',
  reconnecting: 'Conexão perdida. Reconectando…',
  ended: 'Esta janela não está mais conectada. Recarregue a página para continuar.',
  menuUnread: 'Canais e servidores, há algo não lido',
  skip: 'Ir para as mensagens',
  menu: 'Canais e servidores',
  tools: 'Mais sobre este lugar',
  close: 'Fechar',
  cancel: 'Cancelar',
  save: 'Salvar',
  saved: 'Salvo',
  copy: 'Copiar',
  copied: 'Copiado',
  notLoaded: 'Não foi possível carregar esta parte da página. Tente de novo ou recarregue a página.',
  notCopied: 'Seu navegador não permitiu copiar.',
  more: 'Mostrar mais',
  owner: 'dono',
  bot: 'Bot',
  guest: 'Convidado',
  membersTitle: 'Membros',
  members: (n) => count(n, '# membro', '# de membros', '# membros'),
  andMore: (n) => `e mais ${digits(n)}`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, mensagens não lidas` : name) : `${name}, ${badge(n)} não lidas`,
  draft: 'Rascunho',
  withDraft: ', rascunho',
  failed: (reason) => `Não funcionou: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Nome ou senha incorretos.',
    rate_limited: 'Tentativas demais.',
    invite_gone: 'Este convite expirou ou se esgotou. Peça um novo.',
    not_found: 'Isto não existe, ou você não tem acesso.',
    banned: 'Você foi banido deste servidor.',
    storage_full: 'O servidor não tem mais espaço para novas mensagens e arquivos.',
    offline: 'Não foi possível acessar o servidor.',
  },
  rules,
} satisfies typeof words
