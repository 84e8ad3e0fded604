/// How fast queues are made, against blocks that are only answered.
struct CreationRun {
    private static let connections = 4

    let plan: LoadPlan
    let tls: Subject
    let relays: [Subject]

    func figures() async throws(BenchError) -> [Figure] {
        let shapes = [(FigureName.created, 1, 8), (FigureName.createdInBatches, Fleet.batch, 1)]
        var figures: [Figure] = []
        for relay in relays {
            for (name, batch, parallel) in shapes {
                let ceiling = try await rate(tls, batch: batch, parallel: parallel)
                let value = try await rate(relay, batch: batch, parallel: parallel)
                figures.append(
                    Figure(
                        name, of: relay.name, load: Self.connections, value: value, unit: "1/s", better: .higher,
                        ceiling: .init(CeilingName.tls, ceiling)))
            }
        }
        return figures
    }

    private func rate(_ subject: Subject, batch: Int, parallel: Int) async throws(BenchError) -> Double {
        let (fleet, _) = try await Fleet.connect(Self.connections, to: subject)
        let result: Double
        do throws(BenchError) {
            result = try await fleet.create(batch: batch, parallel: parallel, seconds: plan.seconds)
        } catch {
            await fleet.close()
            throw error
        }
        await fleet.close()
        return result
    }
}
