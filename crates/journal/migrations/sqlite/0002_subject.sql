-- Where the entries about a subject stand: a round, a Player's settlements, an award. Made from the entries alone, and made
-- again at the next start where there are none.

CREATE TABLE subject (
    stream INTEGER NOT NULL REFERENCES stream (id),
    subject TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    PRIMARY KEY (stream, subject, version)
) STRICT, WITHOUT ROWID;
