/// What idle subscribed queues take in memory.
struct MemoryRun {
    let plan: LoadPlan
    /// Best a fresh relay: memory that was used and freed before hides what queues take.
    let relay: Subject

    func figures() async throws(BenchError) -> [Figure] {
        guard let process = relay.process else { return [] }
        let (fleet, _) = try await Fleet.connect(LoadPlan.fillConnections, to: relay)
        let figures: [Figure]
        do throws(BenchError) {
            figures = try await measure(fleet, process)
        } catch {
            await fleet.close()
            throw error
        }
        await fleet.close()
        return figures
    }

    private func measure(_ fleet: Fleet, _ process: Int32) async throws(BenchError) -> [Figure] {
        // Connections and their buffers belong to the base.
        try await fleet.makeRoutes(each: Fleet.batch)
        let base = fleet.routeCount
        guard let before = ProcessStatistics.read(process: process) else { return [] }
        var figures: [Figure] = []
        for size in plan.memorySizes {
            try await fleet.makeRoutes(each: max(0, size - fleet.routeCount) / LoadPlan.fillConnections)
            guard fleet.routeCount > base, let after = ProcessStatistics.read(process: process) else { continue }
            let grown = Double(max(0, after.residentBytes - before.residentBytes))
            figures.append(
                Figure(
                    FigureName.memory, of: relay.name, load: fleet.routeCount,
                    value: grown / Double(fleet.routeCount - base), unit: "B", better: .lower,
                    ceiling: .init(CeilingName.memory, CeilingName.memoryBytes)))
        }
        return figures
    }
}
