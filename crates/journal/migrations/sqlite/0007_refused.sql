-- Which entry of the house was the newest when a command was answered that wrote nothing, as one that was refused. Such an answer
-- is no longer kept when the books that were closed after it are archived. What an older program answered says nothing here, and
-- stays.
ALTER TABLE command ADD COLUMN house INTEGER CHECK (house >= 0);
CREATE INDEX command_refused ON command (house) WHERE house IS NOT NULL;
