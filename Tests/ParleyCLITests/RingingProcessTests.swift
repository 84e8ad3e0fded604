import Foundation
import TestSupport
import Testing

/// Calls between processes that are not taken.
@Suite(.timeLimit(.minutes(5))) struct RingingProcessTests {
    @Test func `a declined call is no success`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(town.profile("B") + ["listen", "--decline", "--once", "--json"])
        try await callee.event("listening")
        let caller = try town.start(town.profile("A") + ["call", "B", "--json"])
        #expect(try await caller.exitStatus() == 1)
        #expect(try await caller.event("summary")["result"] as? String == "declinedByPeer")
        #expect(try await callee.exitStatus() == 1)
        #expect(try await callee.event("summary")["result"] as? String == "declined")
    }

    @Test func `a contact who is away does not answer and misses the call`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let caller = try town.start(town.profile("A") + ["call", "B", "--ring-for", "1", "--json"])
        #expect(try await caller.exitStatus() == 1)
        #expect(try await caller.event("summary")["result"] as? String == "cancelled")
        // The end waits at the relay behind the invitation.
        let callee = try town.start(town.profile("B") + ["listen", "--json"])
        #expect(try await callee.event("missed")["contact"] as? String == "A")
        #expect(try await callee.event("refused")["reason"] as? String == "missed")
        #expect(try !callee.events().contains { $0.name == "incoming" })
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
    }

    @Test func `a call rings again for a callee that was killed, and can be accepted`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let media = ["--json", "--camera", "none", "--microphone", "test"]
        let killed = try town.start(town.profile("B") + ["listen"] + media)
        try await killed.event("listening")
        let caller = try town.start(town.profile("A") + ["call", "B", "--audio", "--for", "1"] + media)
        let first = try await killed.event("incoming")
        // Its receipt leaves when the invitation is on disk.
        try await caller.event("delivered")
        killed.signal(SIGKILL)
        _ = try? await killed.exitStatus()
        let callee = try town.start(town.profile("B") + ["listen", "--accept", "--once"] + media)
        let again = try await callee.event("incoming")
        #expect(again.keys == first.keys)
        for key in ["call", "contact", "media"] { #expect(again[key] as? String == first[key] as? String) }
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        #expect(try callee.events().filter { $0.name == "incoming" }.count == 1)
        #expect(try await caller.event("summary")["result"] as? String == "completed")
    }

    @Test func `a call that waits for its callee is listed until it is given up`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let killed = try town.start(town.profile("B") + ["listen", "--json"])
        try await killed.event("listening")
        let caller = try town.start(town.profile("A") + ["call", "B", "--audio", "--json"])
        try await caller.event("delivered")
        killed.signal(SIGKILL)
        _ = try? await killed.exitStatus()
        let listing = try town.start(town.profile("B") + ["invitations", "--json"])
        #expect(try await listing.exitStatus() == 0, "\(listing.errors)")
        let call = try await listing.event("invitation")
        #expect(call.keys == ["event", "t", "call", "contact", "media", "arrived", "profile"])
        #expect(call["call"] as? String == (try await caller.event("dialing")["call"] as? String))
        #expect(call["contact"] as? String == "A" && call["media"] as? String == "audio")
        let text = try town.start(town.profile("B") + ["invitations"])
        #expect(try await text.exitStatus() == 0)
        #expect(text.lines.count == 1 && text.lines.first?.contains("from A (sound)") == true, "\(text.lines)")
        caller.signal(SIGTERM)
        #expect(try await caller.exitStatus() == 1)
        // The end waits at the relay.
        let callee = try town.start(town.profile("B") + ["listen", "--json"])
        try await callee.event("missed")
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
        let none = try town.start(town.profile("B") + ["invitations"])
        #expect(try await none.exitStatus() == 0)
        #expect(none.lines == ["No call waits."])
    }

    @Test func `a call that is declined after a kill does not ring a third time`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let killed = try town.start(town.profile("B") + ["listen", "--json"])
        try await killed.event("listening")
        let caller = try town.start(town.profile("A") + ["call", "B", "--json"])
        try await caller.event("delivered")
        killed.signal(SIGKILL)
        _ = try? await killed.exitStatus()
        let callee = try town.start(town.profile("B") + ["listen", "--decline", "--once", "--json"])
        #expect(try await callee.exitStatus() == 1)
        #expect(try await caller.event("summary")["result"] as? String == "declinedByPeer")
        let third = try town.start(town.profile("B") + ["listen", "--json"])
        // Whatever else waits for B has come before the next call.
        try await third.event("listening")
        let next = try town.start(town.profile("A") + ["call", "B", "--json"])
        let call = try await next.event("dialing")["call"] as? String
        try await third.event("incoming")
        #expect(try third.events().filter { $0.name == "incoming" }.map { $0["call"] as? String } == [call])
        next.signal(SIGTERM)
        _ = try await next.exitStatus()
    }

    @Test func `a call that is refused is told of too`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        try await town.introduce("C", "B")
        let callee = try town.start(town.profile("B") + ["listen", "--json"])
        try await callee.event("listening")
        let first = try town.start(town.profile("A") + ["call", "B", "--json"])
        try await callee.event("incoming")
        let second = try town.start(town.profile("C") + ["call", "B", "--audio", "--json"])
        #expect(try await second.exitStatus() == 1)
        let refused = try await callee.event("refused")
        #expect(refused["contact"] as? String == "C")
        #expect(refused["media"] as? String == "audio")
        #expect(refused["reason"] as? String == "missedWhileBusy")
        #expect(refused["message"] as? String == "You missed the call because you were in another one.")
        #expect(try callee.events().filter { $0.name == "incoming" }.count == 1)
        first.signal(SIGTERM)
        _ = try await first.exitStatus()
    }

    @Test func `what calls are made of is read while one rings, and nothing of ICE`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(town.profile("B") + ["listen", "--json"])
        try await callee.event("listening")
        #expect(try !ProcessSight(callee.processID).hasLoaded("libgstwebrtc.so"))
        let caller = try town.start(town.profile("A") + ["call", "B", "--json"])
        try await callee.event("incoming")
        for process in [callee, caller] {
            // The last of the list.
            try await waitUntil("it is read") { try ProcessSight(process.processID).hasLoaded("libgstwebrtcdsp.so") }
            let sight = try ProcessSight(process.processID)
            #expect(sight.hasLoaded("libgstwebrtc.so") && !sight.hasLoaded("libgstnice"))
            #expect(sight.datagramSockets == 0)
        }
        caller.signal(SIGTERM)
        _ = try await caller.exitStatus()
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
    }

    @Test(.needs(VirtualDevices.obstacle))
    func `a callee that rings opens nothing`() async throws {
        let ((machine, devices), town) = (try await VirtualDevices.equipped(), try await Town())
        try await town.introduce("A", "B")
        let callee = try machine.start(town.profile("B") + ["listen", "--json"], folder: town.folder)
        try await callee.event("listening")
        let caller = try machine.start(town.profile("A") + ["call", "B", "--json"], folder: town.folder)
        try await callee.event("incoming")
        try await caller.event("ringing")
        // Whatever the ringing sets going has its time: devices open within a fraction of it (see below).
        for _ in 0..<20 {
            for process in [callee, caller] {
                let sight = try ProcessSight(process.processID)
                #expect(sight.datagramSockets == 0)
                #expect(!sight.hasLoaded("libgstnice"))
                #expect(sight.devices.isEmpty, "\(sight.devices)")
                #expect(try await machine.streams(of: process.processID) == [])
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        caller.signal(SIGTERM)
        #expect(try await caller.exitStatus() == 1)
        try await callee.event("summary")
        #expect(try ProcessSight(callee.processID).datagramSockets == 0)
        #expect(try await machine.streams(of: callee.processID) == [])
        callee.signal(SIGTERM)
        #expect(try await callee.exitStatus() == 1)
        for device in devices { try await device.unplug() }
    }

    /// Shows that the test above looks for the right things.
    @Test(.needs(VirtualDevices.obstacle))
    func `a callee that accepted opens media`() async throws {
        let ((machine, devices), town) = (try await VirtualDevices.equipped(), try await Town())
        try await town.introduce("A", "B")
        let callee = try machine.start(town.profile("B") + ["listen", "--accept", "--json"], folder: town.folder)
        try await callee.event("listening")
        let caller = try machine.start(town.profile("A") + ["call", "B", "--json"], folder: town.folder)
        try await callee.event("iceConnected")
        try await waitUntil("sockets, camera, microphone and speaker are open") {
            let sight = try ProcessSight(callee.processID)
            let streams = try await machine.streams(of: callee.processID)
            return sight.datagramSockets > 0 && sight.hasLoaded("libgstnice")
                && Set(streams).isSuperset(of: ["Stream/Input/Video", "Stream/Input/Audio", "Stream/Output/Audio"])
        }
        caller.signal(SIGTERM)
        _ = try await caller.exitStatus()
        for device in devices { try await device.unplug() }
    }

    /// So that headsets change to the profile with a microphone, and no other program's volume for calls comes over.
    @Test(.needs(VirtualDevices.obstacle))
    func `a call records as communication and plays as anything else`() async throws {
        let ((machine, devices), town) = (try await VirtualDevices.equipped(), try await Town())
        try await town.introduce("A", "B")
        let callee = try machine.start(town.profile("B") + ["listen", "--accept", "--json"], folder: town.folder)
        try await callee.event("listening")
        let caller = try machine.start(town.profile("A") + ["call", "B", "--json"], folder: town.folder)
        try await callee.event("iceConnected")
        var roles: [String?] = []
        try await waitUntil("microphone and speaker are open") {
            roles = []
            for kind in ["Stream/Input/Audio", "Stream/Output/Audio"] {
                roles.append(try await machine.role(of: kind, of: callee.processID))
            }
            return !roles.contains(nil)
        }
        #expect(roles == ["Communication", ""])
        caller.signal(SIGTERM)
        _ = try await caller.exitStatus()
        for device in devices { try await device.unplug() }
    }
}

extension VirtualDevices {
    /// A machine with a camera, a microphone and a speaker.
    fileprivate static func equipped() async throws -> (VirtualDevices, [Device]) {
        let machine = try await running()
        let devices = [
            try await machine.plugSpeaker("Desk-Speaker", isStandard: true),
            try await machine.plugMicrophone("Desk-Microphone", hearing: nil),
            try await machine.plugCamera("Red-Camera", colour: 0xFF0000),
        ]
        _ = try await machine.devices(in: try TemporaryFolder(), with: "red-camera")
        return (machine, devices)
    }
}

/// What the kernel shows of a process.
struct ProcessSight {
    /// How many UDP sockets it has.
    let datagramSockets: Int
    /// The cameras and sound devices it has open.
    let devices: [String]
    private let maps: String

    init(_ processID: Int32) throws {
        let folder = "/proc/\(processID)"
        maps = kernelFile(folder + "/maps")
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/" + $0)
        }
        let own = Set(targets.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
        let tables = ["udp", "udp6"].map { kernelFile(folder + "/net/" + $0) }
        datagramSockets = tables.joined().split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 9 && own.contains(String(fields[9]))
        }
        devices = targets.filter { $0.hasPrefix("/dev/video") || $0.hasPrefix("/dev/snd") }
    }

    func hasLoaded(_ library: String) -> Bool { maps.contains(library) }
}
