import Foundation

/// The JSON of INFO (SMP fact sheet §7.3). Message ids are in base64 of RFC 4648 §4, not in base64url as ids in addresses are.
enum QueueInformation {
    static func json(_ queue: StoredQueue, entry: SessionEntry?) -> String {
        var fields: [String] = []
        if let entry {
            let thread = entry.kind == .getOnly ? "prohibitSub" : "noSub"
            let delivered = entry.delivered.map { ",\"qDelivered\":\"\(base64($0.bytes))\"" } ?? ""
            fields.append("\"qiSub\":{\"qSubThread\":\"\(thread)\"\(delivered)}")
        }
        fields.append("\"qiSnd\":\(queue.senderKey != nil)")
        fields.append("\"qiNtf\":\(queue.notifier != nil)")
        fields.append("\"qiSize\":\(queue.messages.count)")
        if let head = queue.messages.first {
            let kind = head.isMarker ? "quota" : "message"
            let id = base64(head.id.bytes)
            fields.append(
                "\"qiMsg\":{\"msgId\":\"\(id)\",\"msgTs\":\"\(timestamp(head.time))\",\"msgType\":\"\(kind)\"}")
        }
        return "{" + fields.joined(separator: ",") + "}"
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// ISO 8601 in UTC, from seconds since 1970 (civil-from-days by Howard Hinnant).
    static func timestamp(_ seconds: Int64) -> String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
        return "\(year)-\(two(month))-\(two(day))T\(time)Z"
    }
}
