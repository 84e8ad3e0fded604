import CallControl
import Calling
import Foundation
import Parley
import Signaling
import Wording

extension EventPrinter {
    /// A call of the log.
    func logged(_ call: LogFacts) {
        event("call", call.values.mapValues(EventValue.init), sentence: LogLine(call).line)
    }
}

extension EventValue {
    fileprivate init(_ value: LogFacts.Value) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .number(let number): .number(Int(number))
            case .flag(let flag): .boolean(flag)
            case .numbers(let numbers): .object(numbers.mapValues { .number(Int($0)) })
            case .texts(let texts): .array(texts.map { .string($0) })
            }
    }
}

/// A call of the log in one line: number, time, direction, name, kind, what became of it.
struct LogLine {
    let line: PlainLine

    init(_ call: LogFacts, zone: TimeZone = .current) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        let time = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(call.number("started") ?? 0)))
        let isIncoming = call.text("direction") == CallDirection.incoming.rawValue
        let name = call.text("contact") ?? ""
        let who = isIncoming ? tr("from %s", name) : tr("to %s", name)
        let kind = call.text("media") == CallMedia.video.rawValue ? tr("video") : tr("sound")
        let result = call.text("result").flatMap(CallResult.init(name:))
        let what = result.map { $0.words(isIncoming ? .incoming : .outgoing) } ?? call.text("result") ?? ""
        let duration = call.number("duration").map { ", " + Self.text(seconds: $0 / 1_000) } ?? ""
        line = "\(call.number("number") ?? 0)  \(time)  \(who) (\(kind)): \(what)\(duration)"
    }

    /// Hours, minutes and seconds.
    static func text(seconds: Int64) -> String {
        let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}

extension LogFacts {
    func text(_ name: String) -> String? { if case .text(let text) = values[name] { text } else { nil } }
    func number(_ name: String) -> Int64? { if case .number(let number) = values[name] { number } else { nil } }
}
