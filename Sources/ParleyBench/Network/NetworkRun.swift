import BaseKit
import Foundation
import MediaRules
import NetworkEmulation
import TerminalText

/// Calls over emulated networks, measured second by second.
struct NetworkRun: Sendable {
    /// What is printed while a call goes on.
    enum Output: Sendable { case table, json, nothing }

    /// What Parley has for a camera, and for a screen where the plan says that one is shared.
    var film: SourceArgument
    var screen: SourceArgument
    /// The film with numbers that pictures are compared with and that a browser shows; nil: there is none.
    var numbered: CallFilm?
    /// Whether a screen is shared whatever the plan says.
    var sharesScreen = false
    /// The length, if not the plan's.
    var seconds: Double?
    var folder: String
    var output: Output

    /// Makes a call over the plan's network; gives the figures of each second. Throws ``BenchError``.
    func measure(_ plan: NetworkPlan, by program: CallProgram) async throws -> [NetworkFigures] {
        let emulator = try NetworkEmulator(plan: plan)
        defer { emulator.stop() }
        let comparison = numbered.map { film in PictureComparison { try? film.similarity(of: $0) } }
        defer { comparison?.stop() }
        let call = try await call(plan, by: program, emulator, comparison)
        defer { call.stop() }
        if output == .table { print(NetworkFigures.header) }
        try await call.connect()
        let company = try await NetworkCompany(beside: call, plan, film: film, emulator: emulator)
        defer { company.stop() }
        emulator.start()
        let isBesideOthers = plan.calls > 1 || plan.hasStream
        let length = max(1, Int(seconds ?? plan.duration))
        var counts: NetworkCompany.Counts?
        var all: [NetworkFigures] = []
        var due = Instant.now
        for second in 1...length {
            // Lines are as far apart as the plan's seconds, but for one that was late.
            due = max(due + .seconds(1), .now + .milliseconds(500))
            try await Task.sleep(for: due - .now)
            let figures = try await call.figures(second: second)
            all.append(figures)
            // All have found their place.
            if second == length / 3, isBesideOthers { counts = try await company.counts() }
            switch output {
            case .table: print(figures.row)
            case .json: print(try JSONText.line(figures))
            case .nothing: break
            }
            fflush(nil)
        }
        guard output == .table else { return all }
        print(NetworkSummary.text(of: all))
        if let counts {
            print(NetworkCompany.summary(from: counts, to: try await company.counts()))
        }
        return all
    }

    private func call(
        _ plan: NetworkPlan, by program: CallProgram, _ emulator: NetworkEmulator, _ comparison: PictureComparison?
    ) async throws -> NetworkCall {
        switch program {
        case .parley:
            return try NetworkCall(
                emulator: emulator, film: film, screen: sharesScreen || plan.hasScreens ? screen : nil,
                isSoundAlone: plan.isSoundAlone, comparison: comparison)
        case .chromium:
            guard let numbered else { throw BenchError.call("a browser shows the generated film alone") }
            let ends = try await CallEnds(
                program, film: numbered, folder: folder, over: emulator, hasPictures: !plan.isSoundAlone)
            return NetworkCall(ends, emulator: emulator, comparison: comparison)
        }
    }
}
