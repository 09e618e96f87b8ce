// Printed from locales/pt/device.json. After a change there: bun run words
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
        '# arquivo ficou de fora: são muitos para compartilhar de uma vez.',
        '# de arquivos ficaram de fora: são muitos para compartilhar de uma vez.',
        '# arquivos ficaram de fora: são muitos para compartilhar de uma vez.',
      ),
  },
  notices: {
    tab: 'Notificações',
    here: 'Neste dispositivo',
    push: 'Notificações com o Parley fechado',
    pushText:
      'Elas chegam pelo serviço push do seu navegador, criptografadas para que só este dispositivo possa lê-las.',
    none: 'Este navegador não pode receber notificações push aqui. Elas precisam de HTTPS. Em um iPhone ou iPad, adicione antes o Parley à tela de início.',
    denied:
      'Seu navegador bloqueia as notificações deste site. Permita-as nas configurações do navegador para este site.',
    off: 'Este servidor não envia notificações push.',
    needHttps: 'As notificações da área de trabalho precisam de HTTPS.',
    desktop: 'Notificações da área de trabalho com o Parley aberto',
    sound: 'Tocar um som para mensagens que não estão na tela',
    everywhere: 'Em todos os seus dispositivos',
    hide: 'Ocultar nomes e texto',
    hideText: 'As notificações só dizem que há algo novo.',
    quiet: 'Não perturbe',
    quietText: (zone) =>
      `Todos os dias entre estes horários (${zone}). As notificações push de chamadas também são pausadas.`,
    from: 'De',
    until: 'Até',
  },
} satisfies typeof deviceWords
