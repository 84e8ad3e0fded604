import BaseKit
import Signaling

@testable import SFURules

extension FuzzTarget {
    /// A call server: its address, and all that it may say.
    static let sfu: [FuzzTarget] = [
        FuzzTarget(name: "sfu-address", run: sfuAddress), FuzzTarget(name: "janus-session", run: janusSession),
    ]

    private static func sfuAddress(_ input: [UInt8]) throws {
        guard let address = try? SFUAddress(parsing: String(decoding: input, as: UTF8.self)) else { return }
        try roundTrip(address.text, "an address of a call server", read: SFUAddress.init(parsing:), write: \.text)
        try require(
            address.isSecure || address.host == "localhost" || address.host == "::1" || address.host.hasPrefix("127."),
            "an address without encryption is of another machine")
        try require(!address.path.utf8.contains { $0 <= 0x20 }, "a path is more than one word")
    }

    /// A script, a line each: `?` and a digit ask for something, `!` cuts the connection, `+` makes one, `.` lets time pass; everything else
    /// is said by the server, with `$T` in place of the last transaction.
    private static func janusSession(_ input: [UInt8]) throws {
        var machine = JanusMachine()
        var (now, last, open) = (Instant(sinceStart: .seconds(1_000)), "0", Set<Int>())
        func account(_ effects: [JanusMachine.Effect]) throws {
            for effect in effects {
                switch effect {
                case .settle(let number, _):
                    try require(open.remove(number) != nil, "a command is settled that was not open")
                case .send(let bytes):
                    let request = try mustSucceed("a request is no JSON") { try JSONValue(parsing: bytes) }
                    last = request.object?["transaction"]?.string ?? last
                case .connect, .disconnect, .ready, .event: break
                }
            }
        }
        try account(machine.start(now: now))
        for (number, line) in input.split(separator: 0x0A).prefix(200).enumerated() {
            switch line.first {
            case UInt8(ascii: "?"):
                open.insert(number)
                let command = janusCommands[Int(line.dropFirst().first ?? 0) % janusCommands.count]
                try account(machine.request(number, command, now: now))
            case UInt8(ascii: "!"): try account(machine.disconnected(.lost, now: now, chance: 0.5))
            case UInt8(ascii: "+"): try account(machine.connected(now: now))
            case UInt8(ascii: "."):
                now = now + .seconds(Int(line.dropFirst().first ?? 0) % 32)
                try account(machine.timeOut(now: now, chance: 0.5))
            default:
                let text = String(decoding: line, as: UTF8.self).replacing("$T", with: last)
                try account(machine.received(Array(text.utf8), now: now, chance: 0.5))
            }
            try require(machine.transactions.count <= 2 * JanusMachine.maximumWaiting + 200, "transactions pile up")
        }
        for _ in 0..<4 {
            now = now + JanusMachine.patience
            try account(machine.timeOut(now: now, chance: 0.5))
        }
        try require(open.isEmpty, "a command is never settled")
    }

    private static let janusCommands: [JanusCommand] = {
        let (one, two) = (SFUNumber(101), SFUNumber(102))
        guard let one, let two else { return [] }
        let room = SFURoom(number: one, pin: nil)
        return [
            .exists(one), .join(room, SFUFeed(id: one, display: "")), .publish(own: one, offer: "v=0"), .subscribe(two),
            .answer(two, "v=0"), .configure(two, SFUFeedChoice(substream: 0)), .unsubscribe(two), .leave(own: one),
            .addCandidates(.own(one), [], isComplete: true), .participants(one),
        ]
    }()
}
