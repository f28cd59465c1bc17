-- What is due is taken from an index in its order, however many rows wait; rows that failed come after all others.
DROP INDEX submissions_due;
CREATE INDEX submissions_fresh ON submissions (next_at) WHERE attempts = 0 AND next_at IS NOT NULL;
CREATE INDEX submissions_failing ON submissions (next_at) WHERE attempts > 0 AND next_at IS NOT NULL;

-- Intents without a receipt are few; those with one are as many as the operator ever had.
CREATE INDEX outbox_open ON outbox (chain, signer, nonce) WHERE status = 'open';

-- A document that arrives wakes what waits for it.
ALTER TABLE agreements ADD COLUMN agreement_hash TEXT AS (json_extract(terms, '$.agreementHash')) VIRTUAL;
CREATE INDEX agreements_by_hash ON agreements (agreement_hash);
CREATE INDEX submissions_by_hash ON submissions (submission_hash);

-- Running totals, so that a quota need not add up everything.
CREATE TABLE totals (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO totals (name, value) SELECT 'documents.bytes', coalesce(sum(length(bytes)), 0) FROM documents;
