-- The index also says which entries of a table its reports are made of (subject "reported"). The program adds what the entries
-- that are there are; of those that were archived before, up to this one, their archive is read.
ALTER TABLE archived ADD COLUMN unreported INTEGER CHECK (unreported >= 0);
UPDATE archived SET unreported = taken;
