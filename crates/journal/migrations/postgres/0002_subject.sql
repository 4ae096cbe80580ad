-- Where the entries about a subject stand: a round, a Player's settlements, an award. Made from the entries alone, and made
-- again at the next start where there are none.

CREATE TABLE subject (
    stream bigint NOT NULL REFERENCES stream (id),
    subject text COLLATE "C" NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    PRIMARY KEY (stream, subject, version)
);

-- Called in the transaction, and in the statement, that writes the entries.
CREATE FUNCTION journal_index(streams text[], subjects text[], versions bigint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO subject (stream, subject, version)
        SELECT stream.id, new.subject, new.version
        FROM unnest(streams, subjects, versions) AS new (stream, subject, version)
        JOIN stream ON stream.name = new.stream
$$;

-- Several nodes may be upgraded one after another. Each connection says in megalink.form how many of these files its program
-- knows; a node that is still running an older program writes nothing more. Programs from before this file say nothing.
CREATE FUNCTION journal_refuse_older() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(nullif(current_setting('megalink.form', true), ''), '1')::bigint < (SELECT max(number) FROM migration) THEN
        RAISE EXCEPTION 'a newer program has upgraded this database; start this node with the newer program'
            USING ERRCODE = '42ML1';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER entry_by_this_form AFTER INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse_older();
