import CallControl
import Foundation
import Portal
import TestSupport
import Testing

/// Two people who call a third one: three processes and a relay.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class SeveralCallsStoryTests: DesktopSuite {
    private var manager: WindowManager?
    private var town: ServiceTown!

    override init() throws {
        try super.init()
        manager = try WindowManager()
    }

    /// Does something to a call, as another program of Ada's does.
    private func perform(
        _ call: CallFacts, _ body: @escaping @Sendable (CallsClient, String) async throws -> Void
    ) throws {
        try blocking { [bus = town.bus] in try await body(CallsClient(bus: bus), call.id) }
    }

    /// Calls of Ada's log: who, what became of it, and whether it is missed.
    private func log(_ words: String...) throws -> [String] {
        let process = try town.cli(
            ["log", "--json", "--profile", town.profile] + words + ["--key-file"])
        #expect(try town.end(of: process) == 0, "\(process.errors)")
        return try process.lines.compactMap { line in
            let call = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            // What else happens to the profile is told in between.
            guard call["event"] as? String == "call" else { return nil }
            return Self.entry(call["contact"] as? String, call["result"] as? String, call["missed"] as? Bool)
        }
    }

    private static func entry(_ contact: String?, _ result: String?, _ isMissed: Bool?) -> String {
        [contact ?? "?", result ?? "?", isMissed.map { $0 ? "missed" : "" } ?? "?"].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    @Test func `who is busy by the bus is busy until they are not`() throws {
        town = try ServiceTown()
        var ada = try town.startService()
        atEnd { [town] in if let stop = try? town?.cli(["service", "stop"]) { _ = try? town?.end(of: stop) }
        }
        func busy(_ words: String...) throws -> String {
            let process = try town.cli(["busy"] + words + ["--profile", town.profile, "--key-file"])
            #expect(try town.end(of: process) == 0, "\(process.errors)")
            return process.lines.joined()
        }
        #expect(try busy() == "You take calls.")
        try blocking { [bus = town.bus] in try await CallsClient(bus: bus).setBusy(true) }
        try town.wait("the word") { try busy() == "Who calls is told that you are busy." }
        for _ in 0..<2 {
            let ben = try town.benCalls("--audio", "--ring-for", "20")
            #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerBusy")
            // The next life has not forgotten it.
            let stop = try town.cli(["service", "stop"])
            #expect(try town.end(of: stop) == 0, "\(stop.errors)")
            #expect(ada.exitStatus() == 0)
            #expect(try busy() == "Who calls is told that you are busy.")
            ada = try town.startService()
        }
        #expect(try busy("off") == "You take calls.")
        let ben = try town.benCalls("--audio")
        try town.call(.ringing)
        ben.signal(SIGINT)
        _ = try town.end(of: ben)
        ada.kill()
    }

    @Test func `preferences that are open follow what is chosen elsewhere`() throws {
        town = try ServiceTown()
        let ada = try town.startParley()
        atEnd { ada.kill() }
        try town.waitUntilReachable()
        func busy(_ word: String) throws {
            let process = try town.cli(["busy", word, "--profile", town.profile, "--key-file"])
            #expect(try town.end(of: process) == 0, "\(process.errors)")
        }
        try ada.choose("Preferences", from: "Main menu")
        try ada.turn(to: "Notifications")
        try ada.seeSwitch("Busy", isOn: false)
        try busy("on")
        try ada.seeSwitch("Busy", isOn: true)
        try blocking { [bus = town.bus] in try await CallsClient(bus: bus).setBusy(false) }
        try ada.seeSwitch("Busy", isOn: false)
        try busy("on")
        try ada.seeSwitch("Busy", isOn: true)
        // The switch goes on to work.
        try ada.flip("Busy")
        try town.wait("the word") { try blocking { [bus = town.bus] in try await !CallsClient(bus: bus).isBusy() } }
    }

    @Test func `a second caller is ignored, declined, held, swapped and preferred, and the log tells it`() throws {
        town = try ServiceTown(others: ["Ben", "Cyd"])
        let ada = try town.startService()
        atEnd {
            if !ada.isRunning { print(ada.output) }
            ada.kill()
        }
        var ben = try town.calls("Ben", ["--audio"])
        try town.accept(try town.call(.ringing))
        try town.wait(for: "firstFrame", of: ben)
        let first = try town.call(.active)

        // Ignored: it rings no more here, and Cyd hears it ring until she gives up.
        var cyd = try town.calls("Cyd", ["--audio", "--ring-for", "20"])
        try town.wait(for: "peerElsewhere", of: cyd)
        let ignored = try town.call("that waits", with: "Cyd") { $0.isWaiting }
        try ada.see("Hold and accept")
        try perform(ignored) { try await $0.ignore($1) }
        try ada.seeNoMore("Hold and accept")
        try town.call("that still rings", with: "Cyd") { $0.state == .ringing }
        #expect(try town.end(of: cyd) == 1, "\(cyd.errors)")
        try town.wait("the end of it") {
            try blocking { [bus = town.bus] in try await CallsClient(bus: bus).calls() }.allSatisfy { $0.name != "Cyd" }
        }

        // Declined.
        cyd = try town.calls("Cyd", ["--audio"])
        try perform(try town.call("that waits", with: "Cyd") { $0.isWaiting }) { try await $0.decline($1) }
        #expect(try town.wait(for: "ended", of: cyd)["reason"] as? String == "declinedByPeer")

        // Accepted while Ben is on hold, then swapped twice.
        cyd = try town.calls("Cyd", ["--audio"])
        let second = try town.call("that waits", with: "Cyd") { $0.isWaiting }
        try town.accept(second)
        try town.wait(for: "firstFrame", of: cyd)
        try town.wait(for: "peerHold", of: ben)
        try town.call("on hold", with: "Ben") { $0.isHeld && $0.state == .active }
        try perform(first) { try await $0.resume($1) }
        try town.wait(for: "peerHold", of: cyd)
        try town.call("on hold", with: "Cyd") { $0.isHeld }
        try town.call("that goes on", with: "Ben") { !$0.isHeld }
        try perform(second) { try await $0.resume($1) }
        try town.call("on hold", with: "Ben") { $0.isHeld }
        try perform(first) { try await $0.hangUp($1) }
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
        #expect(try town.call("with Cyd", with: "Cyd") { $0.state == .active }.isHeld == false)

        // Accepted instead of Cyd's.
        ben = try town.calls("Ben", ["--audio"])
        let last = try town.call("that waits", with: "Ben") { $0.isWaiting }
        try perform(last) { try await $0.acceptAndEnd($1, camera: false) }
        #expect(try town.wait(for: "ended", of: cyd)["reason"] as? String == "peerHungUp")
        try town.wait(for: "firstFrame", of: ben)
        try perform(last) { try await $0.hangUp($1) }
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")

        let all = [
            "Ben completed", "Cyd completed", "Ben completed", "Cyd declined", "Cyd noAnswer missed",
        ]
        var told: [String] = []
        try town.wait("the log") {
            told = try blocking { [bus = town.bus] in
                try await LogClient(bus: bus).calls(limit: 10).calls
            }.map { call in
                var isMissed: Bool?
                if case .flag(let flag) = call.values["missed"] { isMissed = flag }
                func text(_ key: String) -> String? {
                    if case .text(let text) = call.values[key] { text } else { nil }
                }
                return Self.entry(text("contact"), text("result"), isMissed)
            }
            return told.count == all.count
        }
        #expect(told == all)
        #expect(try log() == all)
        #expect(try log("--missed") == ["Cyd noAnswer missed"])
        // The profile itself, without the Parley that had it open.
        let stop = try town.cli(["service", "stop"])
        #expect(try town.end(of: stop) == 0, "\(stop.errors)")
        #expect(ada.exitStatus() == 0)
        #expect(try log() == all)
    }
}
