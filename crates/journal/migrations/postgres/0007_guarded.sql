-- Reports and histories rest on the index of subjects, so its rows are guarded like the entries. They stay when a period is taken
-- out that an archive has.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON subject
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
