import CGStreamer
import GLibKit
import MediaRules

extension LinkReport {
    /// Reads the statistics of an RTP session: of all sources the worst.
    ///
    /// Asks each source. To be called only while the session's pipeline is not being closed: in 1.22 it then empties its table of
    /// sources without its lock.
    init(session: Object) {
        self.init()
        guard let value = session.value(of: "sources"), let content = g_value_get_boxed(value.storage) else { return }
        let sources = content.assumingMemoryBound(to: GValueArray.self).pointee
        for index in 0..<Int(sources.n_values) {
            guard let place = sources.values.map({ $0 + index }), let source = Object(reading: place),
                let stats = source.value(of: "stats")
            else { continue }
            if let report = gst_value_get_structure(stats.storage) { add(report) }
        }
    }

    private mutating func add(_ source: UnsafePointer<GstStructure>) {
        if Self.isTrue("have-rb", of: source),
            let trip = Self.number("rb-round-trip", of: source).flatMap(Self.milliseconds(roundTrip:))
        {
            roundTrip = max(roundTrip ?? 0, trip)
        }
        guard !Self.isTrue("internal", of: source), Self.isTrue("is-sender", of: source),
            let units = Self.number("jitter", of: source), let rate = Self.clockRate(of: source), rate > 0
        else { return }
        jitter = max(jitter, Int(units) * 1_000 / rate)
        received += Self.count("packets-received", of: source)
        lost += Self.count("packets-lost", of: source)
    }

    private static func isTrue(_ field: String, of source: UnsafePointer<GstStructure>) -> Bool {
        var value: gboolean = 0
        return gst_structure_get_boolean(source, field, &value) != 0 && value != 0
    }

    private static func number(_ field: String, of source: UnsafePointer<GstStructure>) -> guint? {
        var value: guint = 0
        return gst_structure_get_uint(source, field, &value) != 0 ? value : nil
    }

    private static func count(_ field: String, of source: UnsafePointer<GstStructure>) -> Int {
        var wide: guint64 = 0
        if gst_structure_get_uint64(source, field, &wide) != 0 { return Int(clamping: wide) }
        var narrow: gint = 0
        return gst_structure_get_int(source, field, &narrow) != 0 ? Int(narrow) : 0
    }

    private static func clockRate(of source: UnsafePointer<GstStructure>) -> Int? {
        var value: gint = 0
        return gst_structure_get_int(source, "clock-rate", &value) != 0 ? Int(value) : nil
    }
}
