/// Names of what figures are compared with.
enum CeilingName {
    static let tls = "same blocks over TLS"
    static let blocks = "same blocks over TLS, SMP encryption"
    static let disk = "fsync of 8 KiB appends"
    static let memory = "aim: 4 KiB"
    static let memoryBytes = 4_096.0

    static func connections(_ count: Int) -> String {
        "with \(NumberText.grouped(count)) connection\(count == 1 ? "" : "s")"
    }

    static func stored(_ count: Int) -> String { "with \(NumberText.grouped(count)) stored" }
}

/// Names of figures.
enum FigureName {
    static let connections = "connections"
    static let messages = "messages delivered"
    static let processor = "server processor time a message"
    static let totalProcessor = "processor time a message, load and server"
    static let growthConnections = "server processor time a message, as connections grow"
    static let median = "delivery latency p50"
    static let tail = "delivery latency p99"
    static let created = "queues created"
    static let createdInBatches = "queues created, 64 a block"
    static let memory = "memory an idle subscribed queue"
    static let growthProcessor = "server processor time a message, as queues grow"
    static let growthMessages = "messages delivered, as queues grow"
}
