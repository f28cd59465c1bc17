-- The same tables as SQLite's, in PostgreSQL's types; rowid orders rows by arrival, as SQLite's own does.
-- Facts about this database: identities of the chains it was filled from, the halt reason.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- How far each chain was read: every block up to and including this one.
CREATE TABLE cursors (
  chain  TEXT PRIMARY KEY,
  number BIGINT NOT NULL,
  hash   TEXT NOT NULL,
  final_number    BIGINT NOT NULL,
  final_hash      TEXT NOT NULL,
  final_timestamp BIGINT NOT NULL
);

-- Blocks that may still leave the chain, and those that hold a log.
CREATE TABLE blocks (
  chain     TEXT NOT NULL,
  number    BIGINT NOT NULL,
  hash      TEXT NOT NULL,
  parent    TEXT NOT NULL,
  timestamp BIGINT NOT NULL,
  seen_at   BIGINT NOT NULL,
  PRIMARY KEY (chain, number)
);

-- The escrow's logs. A message can come back in another block, so the block hash is part of the key.
CREATE TABLE logs (
  chain            TEXT NOT NULL,
  block_hash       TEXT NOT NULL,
  log_index        BIGINT NOT NULL,
  block_number     BIGINT NOT NULL,
  transaction_hash TEXT NOT NULL,
  agreement_id     TEXT NOT NULL,
  name             TEXT NOT NULL,
  data             TEXT NOT NULL,
  PRIMARY KEY (chain, block_hash, log_index)
);
CREATE INDEX logs_by_agreement ON logs (agreement_id, block_number, log_index);
CREATE INDEX logs_by_block ON logs (chain, block_number);

-- Terms by content: the id is their digest, so a row never changes. Amounts are text in the JSON: they have 256 bits.
CREATE TABLE agreements (
  rowid          BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  agreement_id   TEXT PRIMARY KEY,
  terms          TEXT NOT NULL,
  ignored_reason TEXT,
  first_seen_at  BIGINT NOT NULL,
  agreement_hash TEXT GENERATED ALWAYS AS (terms::json ->> 'agreementHash') STORED
);
CREATE INDEX agreements_by_hash ON agreements (agreement_hash);

-- One row is one job: an agreement with one submission. A worker that takes it up leases it.
CREATE TABLE submissions (
  rowid           BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  state           TEXT NOT NULL,
  data            TEXT NOT NULL,
  version         BIGINT NOT NULL,
  attempts        BIGINT NOT NULL,
  next_at         BIGINT,             -- milliseconds, the workers' clocks; null when nothing is owed
  deadline_at     BIGINT,             -- seconds, chain time
  anchor_block    BIGINT,             -- block whose finality is awaited
  last_error      TEXT,
  lease_owner     TEXT,
  lease_until     TIMESTAMPTZ,        -- this server's clock
  created_at      BIGINT NOT NULL,
  updated_at      BIGINT NOT NULL,
  PRIMARY KEY (agreement_id, submission_hash)
);
CREATE INDEX submissions_fresh ON submissions (next_at) WHERE attempts = 0 AND next_at IS NOT NULL;
CREATE INDEX submissions_failing ON submissions (next_at) WHERE attempts > 0 AND next_at IS NOT NULL;
CREATE INDEX submissions_leased ON submissions (lease_owner) WHERE lease_owner IS NOT NULL;
CREATE INDEX submissions_by_hash ON submissions (submission_hash);
CREATE INDEX submissions_by_state ON submissions (state, updated_at);
CREATE INDEX submissions_by_deadline ON submissions (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX submissions_by_anchor ON submissions (anchor_block) WHERE anchor_block IS NOT NULL;

-- Append-only history.
CREATE TABLE transitions (
  sequence        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  from_state      TEXT,
  to_state        TEXT NOT NULL,
  event           TEXT NOT NULL,
  reason          TEXT,
  at              BIGINT NOT NULL
);
CREATE INDEX transitions_by_submission ON transitions (agreement_id, submission_hash, sequence);

-- Intents to send a transaction: one nonce, one purpose.
CREATE TABLE outbox (
  id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  purpose         TEXT NOT NULL CHECK (purpose IN ('relay', 'settle')),
  attempt         BIGINT NOT NULL,
  chain           TEXT NOT NULL,
  signer          TEXT NOT NULL,
  nonce           BIGINT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('open', 'included', 'closed')),
  judge_tx        TEXT,
  created_at      BIGINT NOT NULL,
  UNIQUE (agreement_id, submission_hash, purpose, attempt)
);
-- A nonce that was given up (closed) may be used again; one that is in flight or used may not.
CREATE UNIQUE INDEX outbox_nonce ON outbox (chain, signer, nonce) WHERE status <> 'closed';
CREATE INDEX outbox_open ON outbox (chain, signer, nonce) WHERE status = 'open';

-- Every set of signed bytes that ever existed for an intent, stored before it could leave.
CREATE TABLE attempts (
  rowid            BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  transaction_hash TEXT PRIMARY KEY,
  outbox_id        BIGINT NOT NULL REFERENCES outbox (id),
  raw              TEXT NOT NULL,
  fee              TEXT NOT NULL,     -- highest price per gas, decimal base units
  signed_at        BIGINT NOT NULL,
  sent_at          BIGINT,            -- last time a node took it
  sent_at_block    BIGINT
);
CREATE INDEX attempts_by_outbox ON attempts (outbox_id);

-- Sign once: the primary key makes a second outcome for one submission impossible.
CREATE TABLE signed (
  escrow          TEXT NOT NULL,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  digest          TEXT NOT NULL,
  operator        TEXT NOT NULL,
  verdict         TEXT NOT NULL,      -- the certificate, JSON
  record          TEXT NOT NULL,      -- the verdict record, canonical JSON
  signature       TEXT NOT NULL,
  signed_at       BIGINT NOT NULL,
  PRIMARY KEY (escrow, agreement_id, submission_hash)
);

-- Verified signatures of members, our own included.
CREATE TABLE attestations (
  digest          TEXT NOT NULL,
  operator        TEXT NOT NULL,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  signature       TEXT NOT NULL,
  received_at     BIGINT NOT NULL,
  PRIMARY KEY (digest, operator)
);
CREATE INDEX attestations_by_submission ON attestations (agreement_id, submission_hash);

-- Verdict records by content, as served beside the attestations.
CREATE TABLE verdicts (
  verdict_hash    TEXT PRIMARY KEY,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  record          TEXT NOT NULL
);

-- Agreement and submission documents; the key is the SHA-256 of the bytes.
CREATE TABLE documents (
  hash      TEXT PRIMARY KEY,
  kind      TEXT NOT NULL CHECK (kind IN ('agreement', 'submission')),
  bytes     BYTEA NOT NULL,
  stored_at BIGINT NOT NULL
);

-- Running totals, so that a quota need not add up everything.
CREATE TABLE totals (
  name  TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);
INSERT INTO totals (name, value) VALUES ('documents.bytes', 0);
