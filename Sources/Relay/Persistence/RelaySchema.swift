import GRDB

/// The tables of `relay.sqlite`. Steps are only ever added; a file with steps unknown here is refused.
enum RelaySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 queues, links and messages") { database in
            try database.execute(
                sql: """
                    CREATE TABLE queue (
                        number INTEGER PRIMARY KEY,
                        recipientID BLOB NOT NULL,
                        senderID BLOB NOT NULL,
                        recipientKeys BLOB NOT NULL,
                        secret BLOB NOT NULL,
                        mode INTEGER,
                        senderKey BLOB,
                        notifierID BLOB,
                        notifierKey BLOB,
                        notifierSecret BLOB,
                        status INTEGER NOT NULL,
                        blockingReason TEXT,
                        blockingNotice TEXT
                    ) STRICT;
                    CREATE TABLE link (
                        queue INTEGER PRIMARY KEY,
                        id BLOB NOT NULL,
                        fixed BLOB NOT NULL,
                        user BLOB NOT NULL
                    ) STRICT;
                    CREATE TABLE message (
                        number INTEGER PRIMARY KEY,
                        queue INTEGER NOT NULL,
                        id BLOB NOT NULL,
                        time INTEGER NOT NULL,
                        notify INTEGER,
                        body BLOB
                    ) STRICT;
                    """)
        }
        // Messages that were there before are as old as the relay, which begins to count here.
        migrator.registerMigration("2 the relay's age") { database in
            try database.execute(
                sql: """
                    ALTER TABLE message ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE age (id INTEGER PRIMARY KEY CHECK (id = 1), seconds INTEGER NOT NULL) STRICT;
                    """)
        }
        migrator.registerMigration("3 blocked addresses") { database in
            try database.execute(sql: "CREATE TABLE blockedAddress (address TEXT PRIMARY KEY NOT NULL) STRICT")
        }
        return migrator
    }
}
