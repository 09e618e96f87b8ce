-- Applications that are asked by a request of the server's in place of an event.

alter table applications add column interactions_url text;
