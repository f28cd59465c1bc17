-- Who the parties are, so that a party's agreements are found without looking through all of them.
ALTER TABLE agreements ADD COLUMN buyer TEXT COLLATE "C" GENERATED ALWAYS AS (terms::json ->> 'buyer') STORED;
ALTER TABLE agreements ADD COLUMN seller TEXT COLLATE "C" GENERATED ALWAYS AS (terms::json ->> 'seller') STORED;
CREATE INDEX agreements_by_buyer ON agreements (buyer, rowid);
CREATE INDEX agreements_by_seller ON agreements (seller, rowid);

-- What requests with an idempotency key were answered.
CREATE TABLE answers (
  key          TEXT PRIMARY KEY,
  request_hash TEXT NOT NULL,
  status       BIGINT NOT NULL,
  body         TEXT NOT NULL,
  expires_at   BIGINT NOT NULL
);
CREATE INDEX answers_by_age ON answers (expires_at);
