import BaseKit
import Foundation
import MediaRules
import NetworkEmulation

/// What flows beside a measured call over the same link, and what each gets.
struct NetworkCompany: Sendable {
    /// Bytes that have arrived, of the measured call first, from the first side to the second and back.
    struct Counts: Sendable {
        var flows: [(name: String, forward: Int, backward: Int)] = []
        var at = Instant.now
    }

    private let calls: [NetworkCall]
    private let streams: [NetworkStream]

    /// Starts what the plan says beside `call`, and waits until other calls are there. Throws ``BenchError``.
    init(beside call: NetworkCall, _ plan: NetworkPlan, film: SourceArgument, emulator: NetworkEmulator) async throws {
        var (calls, streams) = ([call], [NetworkStream]())
        for _ in 1..<max(plan.calls, 1) {
            let other = try NetworkCall(emulator: emulator, film: film)
            calls.append(other)
            try await other.connect()
        }
        if plan.hasStream {
            for (one, other) in [(emulator.first, emulator.second), (emulator.second, emulator.first)] {
                streams.append(try await NetworkStream(from: one, to: other))
            }
        }
        (self.calls, self.streams) = (calls, streams)
    }

    func counts() async throws -> Counts {
        var counts = Counts()
        for (index, call) in calls.enumerated() {
            let received = try await call.receivedBytes()
            counts.flows.append((index == 0 ? "this call" : "another call", received[1], received[0]))
        }
        if streams.count == 2 {
            counts.flows.append(("TCP", try await streams[0].received(), try await streams[1].received()))
        }
        return counts
    }

    /// Ends all but the measured call.
    func stop() {
        for call in calls.dropFirst() { call.stop() }
        for stream in streams { stream.stop() }
    }

    /// The fair share is of as much as another flow gets: half to twice of it.
    static let fair = 0.5...2.0

    /// What each got between two moments, and what the measured call got of what each other did.
    static func summary(from: Counts, to: Counts) -> String {
        let seconds = max((to.at - from.at).inSeconds, 0.001)
        func rate(_ before: Int, _ after: Int) -> Double { Double(after - before) * 8 / 1_000 / seconds }
        let rates = zip(from.flows, to.flows).map { old, new in
            (name: new.name, forward: rate(old.forward, new.forward), backward: rate(old.backward, new.backward))
        }
        guard let own = rates.first else { return "" }
        return rates.enumerated().map { index, flow in
            let text = String(format: "%@: %.0f and %.0f kbit/s", flow.name, flow.forward, flow.backward)
            guard index > 0 else { return text }
            let parts = [own.forward / max(flow.forward, 1), own.backward / max(flow.backward, 1)]
            let isFair = parts.allSatisfy(fair.contains)
            return text
                + String(
                    format: "; this call got %.2f and %.2f of that (aim 0.5 to 2: %@)", parts[0], parts[1],
                    isFair ? "met" : "missed")
        }.joined(separator: "\n")
    }
}
