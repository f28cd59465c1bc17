-- Who the parties are, so that a party's agreements are found without looking through all of them.
ALTER TABLE agreements ADD COLUMN buyer TEXT AS (json_extract(terms, '$.buyer')) VIRTUAL;
ALTER TABLE agreements ADD COLUMN seller TEXT AS (json_extract(terms, '$.seller')) VIRTUAL;
CREATE INDEX agreements_by_buyer ON agreements (buyer);
CREATE INDEX agreements_by_seller ON agreements (seller);

-- What requests with an idempotency key were answered.
CREATE TABLE answers (
  key          TEXT PRIMARY KEY,
  request_hash TEXT NOT NULL,
  status       INTEGER NOT NULL,
  body         TEXT NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_age ON answers (expires_at);
