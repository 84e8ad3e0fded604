import Foundation

/// The whole of `parley-bench relay --hostile`: each attack on a fresh relay, with a well-behaved client beside it.
struct HostileBenchmark {
    /// Messages a second of good traffic during the mixed attack.
    static let goodRate = 2_000.0
    /// Where the good traffic comes from, each a stranger to the relay, too.
    private static let goodAddresses = (1...40).map { "127.0.1.\($0)" }

    let seconds: Double
    /// How long the relay is left alone before its memory is read a last time.
    let rest: Double
    let attacks: [Attack]
    let program: URL
    let relayArguments: [String]
    let folder: String
    let progress: @Sendable (String) -> Void

    func run() async throws -> HostileReport {
        var report = HostileReport(
            processors: ProcessInfo.processInfo.activeProcessorCount, seconds: seconds)
        for attack in attacks {
            progress(attack.rawValue)
            let relay = try ServerProcess.start(
                program,
                ["--listen", "127.0.0.1:0", "--state", "\(folder)/\(attack.rawValue)", "--log-level", "error"]
                    + relayArguments)
            defer { relay.stop() }
            report.results.append(try await measure(attack, relay))
        }
        return report
    }

    private func measure(_ attack: Attack, _ relay: ServerProcess) async throws -> HostileResult {
        let subject = Subject(
            name: "parley-relay", address: relay.address, isMirror: false, process: relay.identifier)
        let fleet = attack == .mixed ? try await traffic(subject) : nil
        let alone = try await fleet?.pace(rate: Self.goodRate, seconds: seconds)
        let memory = MemoryWatch(process: relay.identifier)
        let before = memory.now
        let watching = Task { await memory.run() }
        let peer = try start(attack, relay)
        // The attack has connected.
        try await Task.sleep(for: .seconds(min(2.5, seconds / 2)))
        let bystander = Bystander(relay: relay.address)
        let asking = Task { await bystander.run() }
        var attacked: Double?
        if let fleet {
            // Traffic that breaks off, or is not delivered in the time that is waited for it, is what an attacker wants.
            attacked = (try? await fleet.pace(rate: Self.goodRate, seconds: seconds))?.rate ?? 0
        } else {
            try await Task.sleep(for: .seconds(seconds))
        }
        bystander.stop()
        await asking.value
        kill(peer.processIdentifier, SIGKILL)
        peer.waitUntilExit()
        await fleet?.close()
        try await Task.sleep(for: .seconds(rest))
        watching.cancel()
        await watching.value
        return result(attack, bystander, memory, before, alone, attacked)
    }

    private func traffic(_ subject: Subject) async throws -> Fleet {
        let (fleet, _) = try await Fleet.connect(
            Self.goodAddresses.count, to: subject, from: Self.goodAddresses)
        try await fleet.makeRoutes(each: 2)
        return fleet
    }

    private func start(_ attack: Attack, _ relay: ServerProcess) throws -> Process {
        let process = Process()
        process.executableURL = Programs.own
        process.arguments = [
            "hostile-peer", "--attack", attack.rawValue, "--target", relay.address.text, "--seconds",
            "\(seconds + 10)",
        ]
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw BenchError.programFailed("\(error)") }
        return process
    }

    private func result(
        _ attack: Attack, _ bystander: Bystander, _ memory: MemoryWatch, _ before: Int, _ alone: DeliveryResult?,
        _ attacked: Double?
    ) -> HostileResult {
        func milliseconds(_ value: Int64?) -> Double? { value.map { Double($0) / 1e6 } }
        let (pings, connects) = (bystander.pings, bystander.connects)
        return HostileResult(
            attack: attack.rawValue, sends: attack.summary, pingMiddle: milliseconds(pings.percentile(0.5)),
            pingTail: milliseconds(pings.percentile(0.99)),
            pingMost: pings.count > 0 ? milliseconds(pings.maximum) : nil,
            connectTail: milliseconds(connects.percentile(0.99)),
            connectMost: connects.count > 0 ? milliseconds(connects.maximum) : nil, connections: connects.count,
            failures: bystander.failures, memoryBefore: before, memoryMost: memory.peak, memoryAfter: memory.now,
            goodRate: alone?.rate, goodRateAttacked: attacked)
    }
}
