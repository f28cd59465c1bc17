-- Which job of which ERC-8183 contract an agreement is; null for those of the escrow.
ALTER TABLE agreements ADD COLUMN job TEXT;
CREATE INDEX agreements_by_job ON agreements (job) WHERE job IS NOT NULL;
