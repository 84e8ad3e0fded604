import Agent
import Calling
import Foundation
import Signaling

/// The hidden connections of group calls, as they outlive the process: who finds one of them after a crash knows that it is no contact.
struct GroupLineBook: Sendable {
    struct Line: Sendable, Hashable {
        var connection: ConnectionID
        var call: CallID
        var member: MemberNumber
        /// The own number.
        var own: MemberNumber
    }

    private struct Stored: Codable {
        var connection: String
        var call: String
        var member: Int
        var own: Int
    }

    private struct Page: Codable {
        var lines: [Stored]
        var isMaking: Bool
    }

    var lines: [ConnectionID: Line] = [:]
    /// Those whose links, which others have made, are being opened: something may come by such a connection already.
    var joining: [ConnectionID: Line] = [:]
    /// How many are being made here that are not among ``lines`` yet.
    var makingCount = 0

    /// The line that a connection is, or is about to be.
    subscript(_ connection: ConnectionID) -> Line? { lines[connection] ?? joining[connection] }

    /// The connection by which a member of a call is reached.
    func connection(to member: MemberNumber, of call: CallID) -> ConnectionID? {
        lines.values.first { $0.call == call && $0.member == member }?.connection
    }

    private var isMaking: Bool { makingCount > 0 || !joining.isEmpty }

    /// What is to be kept; nil where that is nothing.
    var encoded: [UInt8]? {
        guard !lines.isEmpty || isMaking else { return nil }
        let stored = lines.values.sorted { $0.connection.rawValue < $1.connection.rawValue }.map {
            Stored(
                connection: $0.connection.rawValue, call: $0.call.text, member: Int($0.member.value),
                own: Int($0.own.value))
        }
        return (try? JSONEncoder().encode(Page(lines: stored, isMaking: isMaking))).map { [UInt8]($0) }
    }

    /// What a former process has kept, and whether it may have made connections that are not in it. Nil when that can't be read.
    static func decoded(_ bytes: [UInt8]) -> (lines: [Line], wasMaking: Bool)? {
        guard let page = try? JSONDecoder().decode(Page.self, from: Data(bytes)) else { return nil }
        let lines = page.lines.compactMap { stored -> Line? in
            guard let call = CallID(parsing: stored.call), let member = MemberNumber(stored.member),
                let own = MemberNumber(stored.own)
            else { return nil }
            return Line(
                connection: ConnectionID(rawValue: stored.connection), call: call, member: member, own: own)
        }
        return (lines, page.isMaking)
    }
}
