import Glibc
import RelayRules
import SMP
import SMPTransport

/// What a relay tells whoever watches over it.
struct RelaySnapshot: Sendable {
    var connections = 0
    var sessions: [SMPVersion: Int] = [:]
    var queues = 0
    var messages = 0
    var storedBytes = 0
    var cachedBytes = 0
    var isFailing = false
    var refusedConnections: [ConnectionLedger.Refusal: UInt64] = [:]
    /// Bytes that wait for clients to read them.
    var output = 0
    var unreadSessions: UInt64 = 0
    var counts = RelayCounters.Counts()
    /// What was answered by STUN; nil where nothing is.
    var addressAnswers: AddressResponder.Counts?
    /// Seconds since 1970.
    var startTime: Int64 = 0
    var process = ProcessUse.current

    /// The page that Prometheus fetches.
    var text: String {
        var page = MetricsText()
        addState(to: &page)
        addCounts(to: &page)
        addAddressAnswers(to: &page)
        addProcess(to: &page)
        return page.text
    }

    private func addState(to page: inout MetricsText) {
        page.add("parley_relay_connections", .gauge, "Open connections.", Double(connections))
        page.add(
            "parley_relay_sessions", .gauge, "Sessions, by the agreed version of SMP.",
            sessions.sorted { $0.key < $1.key }.map {
                .init(labels: [("version", "\($0.key)")], value: Double($0.value))
            })
        page.add("parley_relay_queues", .gauge, "Queues that exist.", Double(queues))
        page.add("parley_relay_messages", .gauge, "Messages that wait, quota markers included.", Double(messages))
        page.add(
            "parley_relay_stored_bytes", .gauge, "Bytes of messages that wait, 256 for each besides its body.",
            Double(storedBytes))
        page.add(
            "parley_relay_cached_bytes", .gauge, "Bytes of message bodies in memory.", Double(cachedBytes))
        page.add("parley_relay_unread_bytes", .gauge, "Bytes that wait for clients to read them.", Double(output))
        page.add(
            "parley_relay_storage_failing", .gauge, "1 while the disk refuses changes, else 0.", isFailing ? 1 : 0)
    }

    private func addCounts(to page: inout MetricsText) {
        page.add(
            "parley_relay_commands_total", .counter, "Commands carried out, or refused in the attempt.",
            counts.commands.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                .init(labels: [("command", $0.key.rawValue)], value: Double($0.value))
            })
        page.add(
            "parley_relay_errors_total", .counter, "Errors answered.",
            counts.refusals.sorted { $0.key < $1.key }.map {
                .init(labels: [("error", $0.key)], value: Double($0.value))
            })
        page.add("parley_relay_blocks_total", .counter, "Blocks taken from clients.", Double(counts.blocks))
        page.add(
            "parley_relay_messages_received_total", .counter, "Messages taken into queues.", Double(counts.received))
        page.add(
            "parley_relay_messages_delivered_total", .counter,
            "Messages handed to recipients, repetitions included.", Double(counts.delivered))
        page.add(
            "parley_relay_messages_expired_total", .counter, "Messages dropped because of their age.",
            Double(counts.expired))
        page.add(
            "parley_relay_notifications_total", .counter, "Notifications handed to notification servers.",
            Double(counts.notified))
        page.add(
            "parley_relay_idle_sessions_closed_total", .counter, "Sessions closed for being idle.",
            Double(counts.idle))
        page.add(
            "parley_relay_unread_sessions_closed_total", .counter, "Sessions closed for not reading.",
            Double(unreadSessions))
        page.add(
            "parley_relay_connections_refused_total", .counter, "Connections closed at once, by the limit they met.",
            ConnectionLedger.Refusal.allCases.map {
                .init(labels: [("limit", $0.rawValue)], value: Double(refusedConnections[$0] ?? 0))
            })
    }

    private func addAddressAnswers(to page: inout MetricsText) {
        guard let addressAnswers else { return }
        page.add(
            "parley_relay_stun_answers_total", .counter, "Answers by STUN, by what they say.",
            [
                .init(labels: [("answer", "address")], value: Double(addressAnswers.answered)),
                .init(labels: [("answer", "unknown-attribute")], value: Double(addressAnswers.refused)),
            ])
        page.add(
            "parley_relay_stun_dropped_total", .counter, "Datagrams without an answer, by the reason.",
            AddressResponder.Drop.allCases.map {
                .init(labels: [("reason", $0.rawValue)], value: Double(addressAnswers.dropped[$0] ?? 0))
            })
    }

    private func addProcess(to page: inout MetricsText) {
        page.add(
            "process_start_time_seconds", .gauge, "Start of the relay, seconds since 1970.", Double(startTime))
        page.add("process_cpu_seconds_total", .counter, "Processor time used.", process.processorSeconds)
        page.add("process_resident_memory_bytes", .gauge, "Memory in use.", Double(process.residentBytes))
    }
}

/// What the whole process uses.
struct ProcessUse: Sendable {
    var processorSeconds = 0.0
    var residentBytes = 0

    static var current: ProcessUse {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let fraction = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        return ProcessUse(processorSeconds: seconds + fraction, residentBytes: residentPages * Int(getpagesize()))
    }

    /// The second number of `/proc/self/statm` (proc(5)).
    private static var residentPages: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
