import ArgumentParser
import BaseKit
import Cryptography
import Glibc
import SMP
import SMPTransport

/// The process of an attack, so that what it costs itself is not what is measured; started by ``HostileRun``.
struct HostilePeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile-peer", abstract: "Attacks a relay of this machine.", shouldDisplay: false)

    @Option(help: "What to do.")
    var attack: Attack

    @Option(help: "The relay.")
    var target: TargetAddress

    @Option(help: "How long, in seconds.")
    var seconds: Double

    func validate() throws {
        guard Subject.isLoopback(target.address) else { throw ValidationError("Only this machine is attacked.") }
        guard (0.1...120).contains(seconds) else { throw ValidationError("An attack takes from 0.1 to 120 seconds.") }
    }

    func run() async throws {
        raiseFileLimit()
        // Whatever becomes of it, it must not outlive the run.
        alarm(UInt32(seconds) + 60)
        let tally = Tally()
        let reporting = Task { await tally.report() }
        defer { reporting.cancel() }
        let attacker = Attacker(relay: target.address, end: Instant.now + .seconds(seconds), tally: tally)
        switch attack {
        case .nothing: try await Task.sleep(for: .seconds(seconds))
        case .commands: await attacker.askCostly(blocksPerSecond: 0.84)
        case .messages: await attacker.fill(messages: 20_000)
        case .unread: try await attacker.ignoreAnswers()
        case .silent: await SilentSockets(relay: target.address, count: 2_000).hold(until: attacker.end)
        case .handshakes: try await HandshakeFlood(relay: target.address, tally: tally).run(until: attacker.end)
        case .passwords: await attacker.guessPasswords()
        case .probing: try await attacker.probe()
        case .disk: await attacker.fillDisk()
        case .expiry: await attacker.sendShortLived()
        case .mixed:
            let sockets = SilentSockets(relay: target.address, count: 400)
            await withDiscardingTaskGroup { group in
                group.addTask { await attacker.askCostly(blocksPerSecond: 2) }
                group.addTask { await attacker.send(blocksPerSecond: 17) }
                group.addTask { await sockets.hold(until: attacker.end) }
            }
        }
    }
}
