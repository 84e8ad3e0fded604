/// What idle queues cost in memory, and whether a message costs more among many queues than among few.
struct GrowthRun {
    private struct Point {
        let stored: Int
        let subscribed: Int
        let residentBytes: Int?
        var result = DeliveryResult()
    }

    let plan: LoadPlan
    /// A fresh relay: memory that was used and freed before would hide what queues take.
    let relay: Subject

    func figures() async throws(BenchError) -> [Figure] {
        let (fleet, _) = try await Fleet.connect(LoadPlan.fillConnections, to: relay)
        let points: [Point]
        do throws(BenchError) {
            points = try await measure(fleet)
        } catch {
            await fleet.close()
            throw error
        }
        await fleet.close()
        return memory(points) + growth(points)
    }

    private func measure(_ fleet: Fleet) async throws(BenchError) -> [Point] {
        // Warm: the first point has all buffers that the last one has.
        try await fleet.makeRoutes(each: 8)
        _ = try await fleet.saturate(underWay: 32, seconds: min(0.5, plan.seconds))
        var points = [point(fleet, stored: fleet.routeCount)]
        var unsubscribed = 0
        for size in plan.growthSizes {
            let subscribed = min(size, plan.queues)
            let missing = max(0, subscribed - fleet.routeCount)
            try await fleet.makeRoutes(each: missing / LoadPlan.fillConnections)
            unsubscribed += try await store(size - fleet.routeCount - unsubscribed, fleet)
            var point = point(fleet, stored: fleet.routeCount + unsubscribed)
            point.result = try await fleet.saturate(underWay: 32, seconds: plan.seconds)
            points.append(point)
        }
        return points
    }

    /// Makes queues that nobody subscribes to.
    private func store(_ count: Int, _ fleet: Fleet) async throws(BenchError) -> Int {
        var made = 0
        let stations = fleet.stations
        while made < count {
            let station = stations[(made / Fleet.batch) % stations.count]
            made += try await station.makeQueues(
                min(Fleet.batch, count - made), subscribed: false, secured: false
            ).count
        }
        return made
    }

    private func point(_ fleet: Fleet, stored: Int) -> Point {
        let statistics = relay.process.flatMap(ProcessStatistics.read)
        return Point(stored: stored, subscribed: fleet.routeCount, residentBytes: statistics?.residentBytes)
    }

    private func memory(_ points: [Point]) -> [Figure] {
        guard let first = points.first else { return [] }
        return points.dropFirst().compactMap { point in
            // Only points whose queues are all subscribed say what such a queue takes.
            guard let before = first.residentBytes, let after = point.residentBytes, point.stored > first.stored,
                point.stored == point.subscribed
            else { return nil }
            let bytes = Double(max(0, after - before)) / Double(point.stored - first.stored)
            return Figure(
                FigureName.memory, of: relay.name, load: point.stored, value: bytes, unit: "B", better: .lower,
                ceiling: .init(CeilingName.memory, CeilingName.memoryBytes))
        }
    }

    private func growth(_ points: [Point]) -> [Figure] {
        let measured = points.dropFirst()
        guard let first = measured.first else { return [] }
        let name = CeilingName.stored(first.stored)
        return measured.flatMap { point in
            var figures = [
                Figure(
                    FigureName.growthMessages, of: relay.name, load: point.stored, value: point.result.rate,
                    unit: "1/s",
                    better: .higher, ceiling: .init(name, first.result.rate))
            ]
            if let value = point.result.processorMicroseconds, let best = first.result.processorMicroseconds {
                figures.append(
                    Figure(
                        FigureName.growthProcessor, of: relay.name, load: point.stored, value: value, unit: "µs",
                        better: .lower, ceiling: .init(name, best)))
            }
            return figures
        }
    }
}
