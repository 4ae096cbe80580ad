-- Finds the entry that a stream is started from, however long the stream is.
CREATE INDEX entry_carried ON entry (stream, version) WHERE kind = 'carried.v1';
