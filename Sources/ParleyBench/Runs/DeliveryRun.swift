import BaseKit

/// Delivery at one number of connections: relays and both mirrors in turn, so that all have the same neighbours.
struct DeliveryRun {
    /// One subject with what was found of it.
    private struct Trial {
        let subject: Subject
        let fleet: Fleet
        let connectSeconds: Double
        var saturated = DeliveryResult()
        var paced = DeliveryResult()
    }

    let plan: LoadPlan
    let connections: Int
    /// TLS alone, then with SMP's own encryption of blocks.
    let tls: Subject
    let blocks: Subject
    let relays: [Subject]
    /// Appends a second.
    let diskRate: Double

    func figures() async throws(BenchError) -> [Figure] {
        var trials: [Trial] = []
        do throws(BenchError) {
            for subject in [tls, blocks] + relays { trials.append(try await prepare(subject)) }
            try await saturate(&trials)
            let rate = (trials.map(\.saturated.rate).min() ?? 0) * LoadPlan.latencyShare
            try await pace(&trials, rate: max(rate, 1))
        } catch {
            await close(trials)
            throw error
        }
        await close(trials)
        return trials.dropFirst(2).flatMap { figures(of: $0, tls: trials[0], blocks: trials[1]) }
    }

    private func close(_ trials: [Trial]) async {
        for trial in trials { await trial.fleet.close() }
    }

    private func prepare(_ subject: Subject) async throws(BenchError) -> Trial {
        let (fleet, duration) = try await Fleet.connect(connections, to: subject)
        try await fleet.makeRoutes(each: 1)
        return Trial(subject: subject, fleet: fleet, connectSeconds: duration.inSeconds)
    }

    private func saturate(_ trials: inout [Trial]) async throws(BenchError) {
        let underWay = connections * LoadPlan.window(connections: connections)
        for trial in trials {
            // Buffers and code pages are touched once before anything counts.
            _ = try await trial.fleet.saturate(underWay: underWay, seconds: min(0.5, plan.seconds / 4))
        }
        for _ in 0..<plan.rounds {
            for index in trials.indices {
                trials[index].saturated.merge(
                    try await trials[index].fleet.saturate(
                        underWay: underWay, seconds: plan.seconds / Double(plan.rounds)))
            }
        }
    }

    private func pace(_ trials: inout [Trial], rate: Double) async throws(BenchError) {
        for _ in 0..<plan.rounds {
            for index in trials.indices {
                trials[index].paced.merge(
                    try await trials[index].fleet.pace(rate: rate, seconds: plan.seconds / Double(plan.rounds)))
            }
        }
    }

    private func figures(of trial: Trial, tls: Trial, blocks: Trial) -> [Figure] {
        func figure(_ name: String, _ value: Double, _ unit: String, _ better: Figure.Better, _ ceiling: Figure.Ceiling)
            -> Figure
        {
            Figure(
                name, of: trial.subject.name, load: connections, value: value, unit: unit, better: better,
                ceiling: ceiling)
        }
        let ceilings = [(CeilingName.tls, tls), (CeilingName.blocks, blocks)]
        var figures = ceilings.map { name, ceiling in
            figure(
                FigureName.messages, trial.saturated.rate, "1/s", .higher, .init(name, ceiling.saturated.rate))
        }
        figures.append(
            figure(FigureName.messages, trial.saturated.rate, "1/s", .higher, .init(CeilingName.disk, diskRate)))
        let costs: [(String, KeyPath<DeliveryResult, Double?>)] = [
            (FigureName.processor, \.processorMicroseconds),
            (FigureName.totalProcessor, \.totalProcessorMicroseconds),
        ]
        for (costName, cost) in costs {
            for (name, ceiling) in ceilings {
                guard let value = trial.saturated[keyPath: cost], let best = ceiling.saturated[keyPath: cost] else {
                    continue
                }
                figures.append(figure(costName, value, "µs", .lower, .init(name, best)))
            }
        }
        for (name, share) in [(FigureName.median, 0.5), (FigureName.tail, 0.99)] {
            for (ceilingName, ceiling) in ceilings {
                guard let value = trial.paced.histogram.percentile(share),
                    let best = ceiling.paced.histogram.percentile(share)
                else { continue }
                figures.append(
                    figure(name, Double(value) / 1e6, "ms", .lower, .init(ceilingName, Double(best) / 1e6)))
            }
        }
        let count = Double(connections)
        figures.append(
            figure(
                FigureName.connections, count / trial.connectSeconds, "1/s", .higher,
                .init(CeilingName.tls, count / tls.connectSeconds)))
        return figures
    }
}
