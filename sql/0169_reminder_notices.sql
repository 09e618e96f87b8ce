-- Notices of due reminders, one per saved message and device.
alter table push_outbox
  add column remind_id bigint not null default 0,
  drop constraint push_outbox_kind_check,
  add constraint push_outbox_kind_check check (kind in ('message', 'call', 'reminder', 'over')),
  drop constraint push_outbox_check,
  add constraint push_outbox_check check ((message_id is null) = (kind in ('call', 'over'))),
  drop constraint one_notice_a_place,
  add constraint one_notice_a_place unique (subscription_id, channel_id, is_call, remind_id);
