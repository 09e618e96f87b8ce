import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Compartilhar',
    text: 'Mensagem',
    send: 'Compartilhar',
    leftOut: (n) =>
      count(
        n,
        'Mais # arquivo é demais para compartilhar de uma vez.',
        'Mais # de arquivos são demais para compartilhar de uma vez.',
        'Mais # arquivos são demais para compartilhar de uma vez.',
      ),
  },
  notices: {
    tab: 'Notificações',
    here: 'Neste dispositivo',
    push: 'Notificações com o Parley fechado',
    pushText:
      'Elas chegam pelo serviço push do fabricante deste navegador, criptografadas para que só este ' +
      'dispositivo possa lê-las.',
    none:
      'Este navegador não tem notificações push aqui. Elas precisam de HTTPS e, em um iPhone ou iPad, do ' +
      'Parley na tela de início.',
    denied: 'O navegador bloqueia as notificações desta página. Permita-as nas configurações dele para este site.',
    off: 'Este servidor não envia notificações push.',
    needHttps: 'As notificações da área de trabalho precisam de HTTPS.',
    desktop: 'Notificações da área de trabalho com o Parley aberto',
    sound: 'Um som para mensagens que você não vê',
    everywhere: 'Em todos os seus dispositivos',
    hide: 'Ocultar nomes e texto',
    hideText: 'As notificações dizem então apenas que há algo novo.',
    quiet: 'Não perturbe',
    quietText: (zone) => `Todos os dias entre estes horários (${zone}). As chamadas não tocam por push nesse período.`,
    from: 'De',
    until: 'Até',
  },
} satisfies typeof deviceWords
