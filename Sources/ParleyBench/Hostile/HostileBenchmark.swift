import BaseKit
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
            let relay: ServerProcess
            do throws(BenchError) { relay = try start(attack) } catch {
                guard attack == .disk else { throw error }
                progress("left out, as no small disk can be made here")
                continue
            }
            defer { relay.stop() }
            report.results.append(try await measure(attack, relay))
        }
        return report
    }

    private func start(_ attack: Attack) throws(BenchError) -> ServerProcess {
        let (state, passwordFile) = ("\(folder)/\(attack.rawValue)", "\(folder)/password")
        do {
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            try Data("nobody-will-guess-this\n".utf8).write(to: URL(fileURLWithPath: passwordFile))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwordFile)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: state)
        } catch { throw .disk("\(error)") }
        let arguments =
            ["--listen", "127.0.0.1:0", "--state", state, "--log-level", "error"]
            + attack.relayArguments(passwordFile: passwordFile) + relayArguments
        guard attack == .disk else { return try ServerProcess.start(program, arguments) }
        // A small file system in memory, which only the relay sees.
        let mount = "mount -t tmpfs -o size=56m,mode=0700 none \"$0\" && exec \"$@\""
        let prefix = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", mount, state]
        return try ServerProcess.start(URL(fileURLWithPath: "/usr/bin/env"), prefix + [program.path] + arguments)
    }

    private func measure(_ attack: Attack, _ relay: ServerProcess) async throws -> HostileResult {
        let subject = Subject(
            name: "parley-relay", address: relay.address, isMirror: false, process: relay.identifier)
        let fleet = attack == .mixed ? try await traffic(subject) : nil
        let alone = try await fleet?.pace(rate: Self.goodRate, seconds: seconds)
        let memory = MemoryWatch(process: relay.identifier)
        let before = memory.now
        let watching = Task { await memory.run() }
        let said = LastLine()
        let peer = try start(attack, relay, said)
        // The attack has connected.
        try await Task.sleep(for: .seconds(min(2.5, seconds / 2)))
        let bystander = Bystander(relay: relay.address)
        let asking = Task { await bystander.run() }
        let (begin, used) = (Instant.now, ProcessStatistics.read(process: relay.identifier)?.processorSeconds)
        var attacked: Double?
        if let fleet {
            // Traffic that breaks off, or is not delivered in the time that is waited for it, is what an attacker wants.
            attacked = (try? await fleet.pace(rate: Self.goodRate, seconds: seconds))?.rate ?? 0
        } else {
            try await Task.sleep(for: .seconds(seconds))
        }
        let usedAfter = ProcessStatistics.read(process: relay.identifier)?.processorSeconds
        let duration = (Instant.now - begin).inSeconds
        bystander.stop()
        await asking.value
        kill(peer.processIdentifier, SIGKILL)
        peer.waitUntilExit()
        await fleet?.close()
        try await Task.sleep(for: .seconds(rest))
        watching.cancel()
        await watching.value
        var result = result(attack, bystander, memory, before, alone, attacked)
        if let used, let usedAfter { result.processors = (usedAfter - used) / duration }
        result.seen = said.value
        return result
    }

    private func traffic(_ subject: Subject) async throws -> Fleet {
        let (fleet, _) = try await Fleet.connect(
            Self.goodAddresses.count, to: subject, from: Self.goodAddresses)
        try await fleet.makeRoutes(each: 2)
        return fleet
    }

    private func start(_ attack: Attack, _ relay: ServerProcess, _ said: LastLine) throws -> Process {
        let process = Process()
        let output = Pipe()
        output.fileHandleForReading.readabilityHandler = { file in
            let data = file.availableData
            if data.isEmpty { file.readabilityHandler = nil } else { said.add(data) }
        }
        process.standardOutput = output
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
            connectMost: connects.count > 0 ? milliseconds(connects.maximum) : nil, pings: pings.count,
            connections: connects.count, failures: bystander.failures, memoryBefore: before, memoryMost: memory.peak,
            memoryAfter: memory.now,
            goodRate: alone?.rate, goodRateAttacked: attacked)
    }
}
