-- Notices of dates of events for which an account signed up: before they begin, and when a place became free.
alter table push_outbox
  add column event_id bigint not null default 0,
  add column event_n int not null default 0,
  drop constraint push_outbox_kind_check,
  add constraint push_outbox_kind_check check (kind in ('message', 'call', 'reminder', 'event', 'promoted', 'over')),
  drop constraint push_outbox_check,
  add constraint push_outbox_check check ((message_id is null) = (kind in ('call', 'event', 'promoted', 'over'))),
  drop constraint one_notice_a_place,
  add constraint one_notice_a_place unique (subscription_id, channel_id, is_call, remind_id, event_id, event_n);
